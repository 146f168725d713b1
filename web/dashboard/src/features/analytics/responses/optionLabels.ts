import { options } from "@onboarding/flow/content";
import type { FlowViewWithContent } from "@/api/schema";

/** The labels of options by their values, by the ids of screens. */
export type OptionLabels = ReadonlyMap<string, ReadonlyMap<string, string>>;

type Screen = Pick<FlowViewWithContent["screens"][number], "id" | "content">;

/**
 * Return the labels of the options that the screens of a flow have now, as hosted pages read them. An answer to an
 * earlier version may have a value that is no longer among them; it is shown itself.
 */
export function optionLabels(screens: readonly Screen[]): OptionLabels {
  return new Map(
    screens.map(({ id, content }) => [id, new Map(options(content).map(({ value, label }) => [value, label]))]),
  );
}

/** Return the label of a value with the value where another one has the same label, or the value without a label. */
export function labelOf(value: string, labels: ReadonlyMap<string, string> | undefined): string {
  const label = labels?.get(value);
  if (label === undefined) {
    return value;
  }
  const isShared = Array.from(labels ?? []).some(([other, shown]) => other !== value && shown === label);
  return isShared ? `${label} (${value})` : label;
}
