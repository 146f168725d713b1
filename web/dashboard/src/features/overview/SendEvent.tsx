import { Stack, Tabs, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useDashboard } from "@/api/dashboard";
import { useCan, useProjectId } from "@/api/projects";
import { secretKeysQuery } from "@/features/keys/queries";
import { CodeBlock } from "@/ui/copy";
import { firstEventLines, LANGUAGES } from "./snippets";
import { overviewTexts } from "./texts";

const MASKED = "obk_sk_••••••••";
const PLACEHOLDER = "$SECRET_KEY";

/** The lines that send a first event. Admins copy them with the secret key of the project. */
export function SendEvent() {
  const projectId = useProjectId();
  const { config } = useDashboard();
  const isAdmin = useCan("admin");
  const keys = useQuery({ ...secretKeysQuery(projectId), enabled: isAdmin });
  const secretKey = keys.data?.secret_keys[0]?.secret_key;
  const edgeUrl = config.edge_url ?? window.location.origin;

  return (
    <Tabs defaultValue={LANGUAGES[0]} keepMounted={false}>
      <Tabs.List>
        {LANGUAGES.map((language) => (
          <Tabs.Tab key={language} value={language}>
            {overviewTexts.firstSteps.languages[language]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {LANGUAGES.map((language) => (
        <Tabs.Panel key={language} value={language} pt="sm">
          <Stack gap="xs">
            <CodeBlock
              code={firstEventLines(language, {
                edgeUrl,
                projectId,
                secretKey: isAdmin ? MASKED : PLACEHOLDER,
              })}
              copied={firstEventLines(language, { edgeUrl, projectId, secretKey: secretKey ?? PLACEHOLDER })}
            />
            <Text size="xs" c="dimmed">
              {isAdmin ? overviewTexts.firstSteps.keyIsCopied : overviewTexts.firstSteps.askForKey}
            </Text>
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
