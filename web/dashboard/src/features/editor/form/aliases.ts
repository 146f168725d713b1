/** The names under which contents have the members of the form: an interface's client may have written other ones. */

import { NAMES } from "@onboarding/flow/contents";
import type { Content } from "../document";
import type { Field } from "./fields";

type Names = Readonly<Record<string, readonly string[]>>;

const OF_SCREENS: Names = { ...NAMES.screen, ...NAMES.choice, ...NAMES.question_picker };
/** The names in the entries of lists, by the members that the lists are. */
const OF_ENTRIES: Readonly<Record<string, Names>> = {
  options: NAMES.option,
  choices: NAMES.option,
  products: NAMES.product,
  fields: NAMES.field,
  items: { ...NAMES.item, ...NAMES.consent_item },
  features: NAMES.item,
  rows: NAMES.row,
  timeline: NAMES.row,
  quotes: NAMES.quote,
  columns: NAMES.column,
};

/** Return the fields of a screen with the members that its content has in place of theirs, in the same order. */
export function namedFields(fields: readonly Field[], content: Content): Field[] {
  return named(fields, content, OF_SCREENS);
}

/** Return the fields of an entry of a list with the members that the entry has in place of theirs, in the same order. */
export function namedItem(list: string, fields: readonly Field[], entry: Content): Field[] {
  return named(fields, entry, OF_ENTRIES[list] ?? {});
}

/** Return the first of these names under which there is a value, else the first that is there, else the first. */
export function nameIn(content: Content, names: readonly [string, ...string[]]): string {
  const isFilled = (value: unknown) => (typeof value === "string" ? value.trim() !== "" : (value ?? null) !== null);
  return names.find((name) => isFilled(content[name])) ?? names.find((name) => name in content) ?? names[0];
}

function named(fields: readonly Field[], content: Content, names: Names): Field[] {
  // A label can stand for a value that is missing. There each of them is a field of its own.
  const taken = new Set<string>(fields.map(({ path }) => path));
  return fields.map((field) => {
    const { path } = field;
    const all = names[path] ?? Object.values(names).find((group) => group.includes(path)) ?? [];
    const others = all.filter((name) => !taken.has(name));
    for (const name of others) {
      taken.add(name);
    }
    return { ...field, path: nameIn(content, [path, ...others]) };
  });
}
