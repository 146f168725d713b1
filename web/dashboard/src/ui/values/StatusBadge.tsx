import { Badge } from "@mantine/core";
import type { ReactNode } from "react";

/** The colours of the tones. A badge always has a text, too. */
const COLORS = { neutral: "gray", good: "teal", warning: "yellow", bad: "red", accent: "accent" } as const;

export type Tone = keyof typeof COLORS;

/** A status as a small badge. Its text is never truncated. */
export function StatusBadge({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <Badge color={COLORS[tone]} miw="max-content">
      {children}
    </Badge>
  );
}
