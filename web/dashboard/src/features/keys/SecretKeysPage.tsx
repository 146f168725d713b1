import { Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useCan, useIsRoleKnown, useProjectId } from "@/api/projects";
import type { SecretKeyView } from "@/api/schema";
import { CopyButton, SecretValue } from "@/ui/copy";
import { lazyDialog } from "@/ui/feedback/lazyDialog";
import { PageHeader } from "@/ui/PageHeader";
import { EmptyState, QueryView, TextSkeleton } from "@/ui/states";
import { Time } from "@/ui/values/format";
import { StatusBadge } from "@/ui/values/StatusBadge";
import { secretKeysQuery } from "./queries";
import { apiKeyTexts, secretKeyTexts } from "./texts";

const RotateKey = lazyDialog(async () => (await import("./RotateKey")).RotateKey);

/** The keys with which apps reach a project; admins see the secret ones. */
export function SecretKeysPage() {
  const projectId = useProjectId();
  const isAdmin = useCan("admin");
  const [rotating, { open, close }] = useDisclosure();
  const keys = useQuery({ ...secretKeysQuery(projectId), enabled: isAdmin });
  if (!useIsRoleKnown()) {
    return <TextSkeleton lines={6} />;
  }
  if (!isAdmin) {
    return (
      <EmptyState
        titleOrder={1}
        icon={<IconRefresh size={32} stroke={1.5} />}
        title={secretKeyTexts.title}
        text={secretKeyTexts.adminsOnly}
      />
    );
  }
  return (
    <>
      <PageHeader
        title={secretKeyTexts.title}
        text={secretKeyTexts.help}
        actions={<Button onClick={open}>{secretKeyTexts.rotate}</Button>}
      />
      {rotating && <RotateKey projectId={projectId} onClose={close} />}
      <QueryView query={keys} skeleton={<TextSkeleton lines={6} />}>
        {({ secret_keys }) => (
          <Stack gap="lg" maw={720}>
            <Stack gap={4}>
              <Title order={2}>{secretKeyTexts.projectId}</Title>
              <Text c="dimmed">{secretKeyTexts.projectIdHelp}</Text>
              <Group gap={4} wrap="nowrap">
                <Text ff="monospace" size="sm" style={{ overflowWrap: "anywhere" }}>
                  {projectId}
                </Text>
                <CopyButton value={projectId} label={secretKeyTexts.copyProjectId} />
              </Group>
            </Stack>
            {secret_keys.map((key, index) => (
              <SecretKey key={key.id} secretKey={key} number={secret_keys.length - index} />
            ))}
          </Stack>
        )}
      </QueryView>
    </>
  );
}

function SecretKey({ secretKey, number }: { secretKey: SecretKeyView; number: number }) {
  const { secret_key, created_at, expires_at, last_used_at } = secretKey;
  return (
    <Paper withBorder p="lg">
      <Stack gap="sm">
        <Group gap="xs">
          <Title order={2} size="h3">
            {secretKeyTexts.secretKey}
          </Title>
          {expires_at === null ? (
            <StatusBadge tone="good">{secretKeyTexts.active}</StatusBadge>
          ) : (
            <StatusBadge tone="warning">
              {secretKeyTexts.ends} <Time value={expires_at} />
            </StatusBadge>
          )}
        </Group>
        <SecretValue value={secret_key} label={secretKeyTexts.secretKeyNumber(number)} />
        <Text size="sm" c="dimmed">
          {apiKeyTexts.created} <Time value={created_at} /> ·{" "}
          {last_used_at ? (
            <>
              {apiKeyTexts.lastUsed} <Time value={last_used_at} />
            </>
          ) : (
            apiKeyTexts.neverUsed
          )}
        </Text>
      </Stack>
    </Paper>
  );
}
