import { Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ApiKeyView } from "@/api/schema";
import { CodeBlock, SecretValue } from "@/ui/copy";
import { Confirm } from "@/ui/feedback/Confirm";
import { toast } from "@/ui/feedback/feedback";
import { PageHeader } from "@/ui/PageHeader";
import { QueryView, TextSkeleton } from "@/ui/states";
import { Time } from "@/ui/values/format";
import { apiKeyQuery, rotateApiKey } from "./queries";
import { apiKeyTexts } from "./texts";

/** The user's personal API key. */
export function ApiKeysPage() {
  const key = useQuery(apiKeyQuery);
  return (
    <>
      <PageHeader title={apiKeyTexts.title} text={apiKeyTexts.secretKeys} />
      <QueryView query={key} skeleton={<TextSkeleton lines={4} />}>
        {(view) => <PersonalKey view={view} />}
      </QueryView>
    </>
  );
}

function PersonalKey({ view }: { view: ApiKeyView }) {
  const queryClient = useQueryClient();
  const [rotating, { open, close }] = useDisclosure();
  async function rotate() {
    queryClient.setQueryData(apiKeyQuery.queryKey, await rotateApiKey());
    toast(apiKeyTexts.rotated);
  }
  return (
    <Paper withBorder p="lg" maw={720}>
      <Stack gap="md">
        <Group justify="space-between" align="flex-start">
          <Title order={2}>{apiKeyTexts.personal}</Title>
          <Button variant="default" onClick={open}>
            {apiKeyTexts.rotate}
          </Button>
        </Group>
        <Text c="dimmed">{apiKeyTexts.help}</Text>
        <SecretValue value={view.api_key} label={apiKeyTexts.personal} />
        <Text size="sm" c="dimmed">
          {apiKeyTexts.created} <Time value={view.created_at} /> ·{" "}
          {view.last_used_at ? (
            <>
              {apiKeyTexts.lastUsed} <Time value={view.last_used_at} />
            </>
          ) : (
            apiKeyTexts.neverUsed
          )}
        </Text>
        <Title order={3}>{apiKeyTexts.example}</Title>
        <CodeBlock code={`curl -H "Authorization: Bearer $API_KEY" ${window.location.origin}/api/projects`} />
      </Stack>
      {rotating && (
        <Confirm
          title={apiKeyTexts.rotateTitle}
          text={apiKeyTexts.rotateText}
          phrase={apiKeyTexts.rotatePhrase}
          action={apiKeyTexts.rotate}
          onConfirm={rotate}
          onClose={close}
        />
      )}
    </Paper>
  );
}
