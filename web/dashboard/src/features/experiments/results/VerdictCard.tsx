import { Group, Paper, Progress, Stack, Text, ThemeIcon } from "@mantine/core";
import { IconAlertTriangle, IconCheck, IconClock, IconEqual } from "@tabler/icons-react";
import type { Verdict } from "./verdict";

const LOOKS = {
  mismatch: { color: "red", Icon: IconAlertTriangle },
  empty: { color: "gray", Icon: IconClock },
  waiting: { color: "gray", Icon: IconClock },
  undecided: { color: "gray", Icon: IconEqual },
  decided: { color: "teal", Icon: IconCheck },
} as const;

/** The verdict in words, with the progress while there is not enough data. */
export function VerdictCard({ verdict: { kind, title, text, progress } }: { verdict: Verdict }) {
  const { color, Icon } = LOOKS[kind];
  return (
    <Paper
      withBorder
      p="md"
      bd={kind === "mismatch" ? "1px solid var(--mantine-color-error)" : undefined}
      role={kind === "mismatch" ? "alert" : "status"}
    >
      <Group gap="md" align="flex-start" wrap="nowrap">
        <ThemeIcon size={32} radius="xl" color={color} variant="light">
          <Icon size={20} aria-hidden />
        </ThemeIcon>
        <Stack gap={4} miw={0} flex={1}>
          <Text fz={16} lh="24px" py={4} fw={550}>
            {title}
          </Text>
          {progress !== null && <Progress value={progress * 100} size="sm" aria-label={title} maw={480} my={4} />}
          {text && (
            <Text size="sm" c="dimmed" maw={720}>
              {text}
            </Text>
          )}
        </Stack>
      </Group>
    </Paper>
  );
}
