import { List, Stack, Text, Title } from "@mantine/core";
import type { TargetingView } from "@/api/schema";
import { conditionInWords } from "@/features/audience/words";
import { texts } from "@/texts";
import { formatFraction } from "@/ui/format";

const words = texts.targeting;

/** The targeting of a flow for people who cannot change it. */
export function TargetingInWords({ targeting }: { targeting: Pick<TargetingView, "conditions" | "percentage"> }) {
  return (
    <Stack gap="xs">
      <Title order={2}>{words.conditions}</Title>
      {targeting.conditions.length === 0 ? (
        <Text>{words.everyone}</Text>
      ) : (
        <List>
          {targeting.conditions.map((condition) => (
            <List.Item key={JSON.stringify(condition)}>{conditionInWords(condition)}</List.Item>
          ))}
        </List>
      )}
      <Text>{words.share(formatFraction(targeting.percentage / 100))}</Text>
    </Stack>
  );
}
