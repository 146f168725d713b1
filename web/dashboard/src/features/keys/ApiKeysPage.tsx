import { Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ApiKeyView } from "@/api/schema";
import { texts } from "@/texts";
import { Confirm } from "@/ui/Confirm";
import { CodeBlock, SecretValue } from "@/ui/copy";
import { toast } from "@/ui/feedback";
import { Time } from "@/ui/format";
import { PageHeader } from "@/ui/PageHeader";
import { QueryView, TextSkeleton } from "@/ui/states";
import { apiKeyQuery, rotateApiKey } from "./queries";

/** The user's personal API key. */
export function ApiKeysPage() {
  const key = useQuery(apiKeyQuery);
  return (
    <>
      <PageHeader title={texts.apiKeys.title} text={texts.apiKeys.secretKeys} />
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
    toast(texts.apiKeys.rotated);
  }
  return (
    <Paper withBorder p="lg" maw={720}>
      <Stack gap="md">
        <Group justify="space-between" align="flex-start">
          <Title order={2}>{texts.apiKeys.personal}</Title>
          <Button variant="default" onClick={open}>
            {texts.apiKeys.rotate}
          </Button>
        </Group>
        <Text c="dimmed">{texts.apiKeys.help}</Text>
        <SecretValue value={view.api_key} label={texts.apiKeys.personal} />
        <Text size="sm" c="dimmed">
          {texts.apiKeys.created} <Time value={view.created_at} /> ·{" "}
          {view.last_used_at ? (
            <>
              {texts.apiKeys.lastUsed} <Time value={view.last_used_at} />
            </>
          ) : (
            texts.apiKeys.neverUsed
          )}
        </Text>
        <Title order={3}>{texts.apiKeys.example}</Title>
        <CodeBlock code={`curl -H "Authorization: Bearer $API_KEY" ${window.location.origin}/api/projects`} />
      </Stack>
      {rotating && (
        <Confirm
          title={texts.apiKeys.rotateTitle}
          text={texts.apiKeys.rotateText}
          phrase={texts.apiKeys.rotatePhrase}
          action={texts.apiKeys.rotate}
          onConfirm={rotate}
          onClose={close}
        />
      )}
    </Paper>
  );
}
