import { Badge } from "@mantine/core";
import type { TranslationRow } from "./queries";
import { translationTexts as words } from "./texts";

const COLORS = { missing: "red", outdated: "yellow", done: "teal" } as const;

/** The state of a translation. That of a machine is done, but nobody has confirmed it. */
export function StateBadge({ state, isMachine }: { state: TranslationRow["state"]; isMachine: boolean }) {
  return isMachine && state === "done" ? (
    <Badge variant="light" color={COLORS.outdated} title={words.machineHelp}>
      {words.machine}
    </Badge>
  ) : (
    <Badge variant="light" color={COLORS[state]} title={state === "outdated" ? words.outdatedHelp : undefined}>
      {words.states[state]}
    </Badge>
  );
}
