import { Badge } from "@mantine/core";
import type { ReactNode } from "react";

/** The meanings that have a colour; each goes with a word. */
const COLORS = { neutral: "gray", good: "teal", warning: "yellow", bad: "red", accent: "accent" } as const;

export type Tone = keyof typeof COLORS;

/** A state as a small badge, whose word is never cut off. */
export function StatusBadge({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <Badge color={COLORS[tone]} miw="max-content">
      {children}
    </Badge>
  );
}
