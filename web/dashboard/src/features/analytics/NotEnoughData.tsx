import { Center, Text } from "@mantine/core";
import { texts } from "@/texts";
import { formatCount } from "@/ui/format";

interface NotEnoughDataProps {
  seen: number;
  needed: number;
  /** What is counted: users. */
  noun: string;
}

/** In place of a picture that would mislead. */
export function NotEnoughData({ seen, needed, noun }: NotEnoughDataProps) {
  return (
    <Center h={96} style={{ border: "1px solid var(--app-border)", borderRadius: 8 }}>
      <Text c="dimmed">{texts.analytics.notEnough(formatCount(seen), formatCount(needed), noun)}</Text>
    </Center>
  );
}
