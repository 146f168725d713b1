import { Alert, Progress, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconCheck, IconClock, IconEqual } from "@tabler/icons-react";
import type { Verdict } from "./verdict";

const LOOKS = {
  mismatch: { color: "red", Icon: IconAlertTriangle },
  empty: { color: "gray", Icon: IconClock },
  waiting: { color: "gray", Icon: IconClock },
  undecided: { color: "gray", Icon: IconEqual },
  decided: { color: "teal", Icon: IconCheck },
} as const;

/** What the results mean, in words; how much of the data is there while they do not mean anything. */
export function VerdictCard({ verdict: { kind, title, text, progress } }: { verdict: Verdict }) {
  const { color, Icon } = LOOKS[kind];
  return (
    <Alert
      variant="light"
      color={color}
      icon={<Icon size={20} />}
      title={title}
      role={kind === "mismatch" ? "alert" : "status"}
    >
      <Stack gap="xs">
        {progress !== null && <Progress value={progress * 100} size="sm" aria-label={title} maw={480} />}
        {text && (
          <Text size="sm" maw={720}>
            {text}
          </Text>
        )}
      </Stack>
    </Alert>
  );
}
