import { List, Stack, Text, Title } from "@mantine/core";
import type { TargetingView } from "@/api/schema";
import { conditionTexts } from "@/features/audience/texts";
import { conditionInWords } from "@/features/audience/words";
import { formatFraction } from "@/ui/values/format";
import { targetingTexts } from "./texts";

const words = conditionTexts;

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
      <Text>{targetingTexts.share(formatFraction(targeting.percentage / 100))}</Text>
    </Stack>
  );
}
