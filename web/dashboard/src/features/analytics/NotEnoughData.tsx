import { Center, Text } from "@mantine/core";
import { formatCount } from "@/ui/values/format";
import { analyticsTexts } from "./texts";

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
      <Text c="dimmed">{analyticsTexts.notEnough(formatCount(seen), formatCount(needed), noun)}</Text>
    </Center>
  );
}
