import type { FlowViewWithContent } from "@/api/schema";

/** The labels of options by their values, by the ids of screens. */
export type OptionLabels = ReadonlyMap<string, ReadonlyMap<string, string>>;

type Screen = Pick<FlowViewWithContent["screens"][number], "id" | "content">;

/**
 * Return the labels of the options that the screens of a flow have now, as hosted pages read them. An answer to an
 * earlier version may have a value that is no longer among them; it is shown itself.
 */
export function optionLabels(screens: readonly Screen[]): OptionLabels {
  return new Map(screens.map(({ id, content }) => [id, labelsOf(content.options ?? content.choices)]));
}

function labelsOf(options: unknown): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const option of Array.isArray(options) ? options : []) {
    const { value, id, label, title, text } = isObject(option) ? option : {};
    const shown = firstText(label, title, text);
    const sent = firstText(value, id);
    if (shown !== undefined && sent !== undefined) {
      labels.set(sent, shown);
    }
  }
  return labels;
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function firstText(...values: unknown[]): string | undefined {
  const found = values.find((value) => (typeof value === "string" && value.trim() !== "") || typeof value === "number");
  return found === undefined ? undefined : String(found);
}
