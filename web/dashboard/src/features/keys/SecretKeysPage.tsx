import { Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { SecretKeyView } from "@/api/schema";
import { useCan, useIsRoleKnown, useProjectId } from "@/features/projects/queries";
import { texts } from "@/texts";
import { CopyButton, SecretValue } from "@/ui/copy";
import { Time } from "@/ui/format";
import { lazyDialog } from "@/ui/lazyDialog";
import { PageHeader } from "@/ui/PageHeader";
import { StatusBadge } from "@/ui/StatusBadge";
import { EmptyState, QueryView, TextSkeleton } from "@/ui/states";
import { secretKeysQuery } from "./queries";

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
        title={texts.secretKeys.title}
        text={texts.secretKeys.adminsOnly}
      />
    );
  }
  return (
    <>
      <PageHeader
        title={texts.secretKeys.title}
        text={texts.secretKeys.help}
        actions={<Button onClick={open}>{texts.secretKeys.rotate}</Button>}
      />
      {rotating && <RotateKey projectId={projectId} onClose={close} />}
      <QueryView query={keys} skeleton={<TextSkeleton lines={6} />}>
        {({ public_key, secret_keys }) => (
          <Stack gap="lg" maw={720}>
            <Stack gap={4}>
              <Title order={2}>{texts.secretKeys.publicKey}</Title>
              <Text c="dimmed">{texts.secretKeys.publicKeyHelp}</Text>
              <Group gap={4} wrap="nowrap">
                <Text ff="monospace" size="sm" style={{ overflowWrap: "anywhere" }}>
                  {public_key}
                </Text>
                <CopyButton value={public_key} label={texts.secretKeys.copyPublicKey} />
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
            {texts.secretKeys.secretKey}
          </Title>
          {expires_at === null ? (
            <StatusBadge tone="good">{texts.secretKeys.active}</StatusBadge>
          ) : (
            <StatusBadge tone="warning">
              {texts.secretKeys.ends} <Time value={expires_at} />
            </StatusBadge>
          )}
        </Group>
        <SecretValue value={secret_key} label={texts.secretKeys.secretKeyNumber(number)} />
        <Text size="sm" c="dimmed">
          {texts.apiKeys.created} <Time value={created_at} /> ·{" "}
          {last_used_at ? (
            <>
              {texts.apiKeys.lastUsed} <Time value={last_used_at} />
            </>
          ) : (
            texts.apiKeys.neverUsed
          )}
        </Text>
      </Stack>
    </Paper>
  );
}
