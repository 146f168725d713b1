import { Badge } from "@mantine/core";
import type { TranslationRow } from "./queries";
import { translationTexts as words } from "./texts";

const COLORS = { missing: "red", outdated: "yellow", done: "teal" } as const;

/** The state of a translation. One of a machine has its own mark until an editor confirms it. */
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
