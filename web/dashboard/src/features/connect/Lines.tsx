import { Stack, Tabs, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useDashboard } from "@/api/dashboard";
import { useCan, useProjectId } from "@/api/projects";
import { secretKeysQuery } from "@/features/keys/queries";
import { CodeBlock } from "@/ui/copy";
import type { Target } from "./requests";
import { connectTexts } from "./texts";

const MASKED = "obk_sk_••••••••";
const PLACEHOLDER = "$SECRET_KEY";

/** Lines to copy into an app, by language, with the values of the project. Admins copy them with its secret key. */
export function Lines({ label, targets }: { label: string; targets: readonly Target[] }) {
  const projectId = useProjectId();
  const { config } = useDashboard();
  const isAdmin = useCan("admin");
  const keys = useQuery({ ...secretKeysQuery(projectId), enabled: isAdmin });
  const secretKey = keys.data?.secret_keys[0]?.secret_key ?? PLACEHOLDER;
  const connection = { edgeUrl: config.edge_url ?? window.location.origin, projectId };

  return (
    <Tabs defaultValue={targets[0]?.id ?? null} keepMounted={false}>
      <Tabs.List aria-label={label}>
        {targets.map((target) => (
          <Tabs.Tab key={target.id} value={target.id}>
            {target.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {targets.map(({ id, lines }) => (
        <Tabs.Panel key={id} value={id} pt="sm">
          <Stack gap="xs">
            <CodeBlock
              code={lines({ ...connection, secretKey: isAdmin ? MASKED : PLACEHOLDER })}
              copied={lines({ ...connection, secretKey })}
            />
            <Text size="xs" c="dimmed">
              {isAdmin ? connectTexts.keyIsCopied : connectTexts.askForKey}
            </Text>
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
