import { list, object } from "@onboarding/flow/json";
import type { ChangeView, LogicCondition, Variable } from "@/api/schema";
import { editorTexts } from "@/features/editor/texts";
import { languageName } from "@/features/settings/languages";
import { type FlowDocument, typeName } from "../document";
import { translations } from "../draft/merge";
import { type FlowNames, rulesChangeInWords, type ScreenRule, showIfInWords } from "../logic/rules";
import { logicTexts } from "../logic/texts";

const words = editorTexts.changes;
/** Longer texts and lists are cut, with room for a paragraph and for the options of a question. */
const MAX_SHOWN = 400;
const MAX_ENTRIES = 12;

function valueInWords(value: unknown): string {
  if (value === null || value === undefined || value === "") {
    return words.nothing;
  }
  if (Array.isArray(value)) {
    const shown = value.slice(0, MAX_ENTRIES).map(valueInWords);
    const isTold = shown.length > 0 && !shown.includes(words.details);
    return isTold ? [...shown, ...(value.length > MAX_ENTRIES ? ["…"] : [])].join(", ") : words.entries(value.length);
  }
  if (typeof value === "object") {
    const { label, title } = value as Record<string, unknown>;
    const name = [label, title].find((text) => typeof text === "string" && text !== "");
    return name === undefined ? words.details : `“${name}”`;
  }
  const text = String(value);
  const short = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  return typeof value === "string" ? `“${short}”` : short;
}

/** Return whether a change is one for people: a member without a value is as one that is left out. */
export function isSeen({ op, before, after }: ChangeView): boolean {
  return op === "move" || comparable(before) !== comparable(after);
}

/** Return a member of a document or of a content in words: `primary_button/label` is "primary button, label". */
function memberInWords(path: readonly string[]): string {
  return path.map((part) => (/^\d+$/.test(part) ? String(Number(part) + 1) : part.replaceAll("_", " "))).join(", ");
}

/** Return a change of a document in words. */
export function changeInWords(change: ChangeView, names: FlowNames): string {
  const parts = change.path
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (parts.length === 0) {
    return words.tooMany;
  }
  if (parts[0] === "variables" && parts.length === 1) {
    return variablesInWords(list(change.before) as Variable[], list(change.after) as Variable[]);
  }
  if (parts[0] === "theme_id") {
    return words.theme;
  }
  if (parts[0] !== "screens" || parts[1] === undefined) {
    return words.changed(memberInWords(parts), valueInWords(change.before), valueInWords(change.after));
  }
  const [, id, ...inner] = parts;
  const screen = names.screens.get(id) ?? nameIn(change.after) ?? nameIn(change.before) ?? words.screen;
  const logic = logicInWords(screen, inner.join("/"), change, names);
  if (logic !== null) {
    return logic;
  }
  if (inner[0] === "localizations") {
    return translationInWords(screen, inner.slice(1), change);
  }
  if (inner.length > 0) {
    const member = memberInWords(inner[0] === "content" && inner.length > 1 ? inner.slice(1) : inner);
    return words.changedIn(screen, member, valueInWords(change.before), valueInWords(change.after));
  }
  switch (change.op) {
    case "add":
      return words.added(screen);
    case "remove":
      return words.removed(screen);
    case "move":
      return words.moved(screen, Number(change.before) + 1, Number(change.after) + 1);
    default:
      return words.changedScreen(screen);
  }
}

/** Return a change of the logic of a screen in words, null for a change of another member. */
function logicInWords(screen: string, member: string, { before, after }: ChangeView, names: FlowNames): string | null {
  switch (member) {
    case "next":
      return rulesChangeInWords(screen, list(before) as ScreenRule[], list(after) as ScreenRule[], names);
    case "show_if":
      return showIfInWords(screen, list(after) as LogicCondition[], names);
    case "settings/counts":
      return after === false ? logicTexts.words.countsNot(screen) : logicTexts.words.counts(screen);
    default:
      return null;
  }
}

/** Return the change of a translation in words, or of all translations of a screen. */
function translationInWords(screen: string, [locale, ...pointer]: readonly string[], change: ChangeView): string {
  if (pointer.length === 0) {
    return words.translations(screen, locale === undefined ? null : languageName(locale));
  }
  const [before, after] = [change.before, change.after].map((value) =>
    typeof value === "object" ? object(value).text : value,
  );
  // The last name may be that of a member of the translation.
  const member = `${languageName(locale ?? "")} ${memberInWords(pointer)}`;
  return comparable(before) === comparable(after)
    ? words.confirmed(screen, member)
    : words.changedIn(screen, member, valueInWords(before), valueInWords(after));
}

/** Return the change of the variables of a flow: the formulas that are new or changed, and the names that are gone. */
function variablesInWords(before: readonly Variable[], after: readonly Variable[]): string {
  const { variable, noVariable, orderOfVariables } = logicTexts.words;
  const former = new Map(before.map(({ name, formula }) => [name, formula]));
  const present = new Set(after.map(({ name }) => name));
  const parts = [
    ...after
      .filter(({ name, formula }) => former.get(name) !== formula)
      .map(({ name, formula }) => variable(name, formula)),
    ...before.filter(({ name }) => !present.has(name)).map(({ name }) => noVariable(name)),
  ];
  return parts.length > 0 ? parts.join("; ") : orderOfVariables(after.map(({ name }) => name));
}

function nameIn(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("type" in value)) {
    return undefined;
  }
  const { name, type } = value as { name?: string | null; type: string };
  return name ?? typeName(type);
}

/** Return the changes between two documents of the editor, for people: members of contents are compared as a whole. */
export function documentChanges(before: FlowDocument, after: FlowDocument): ChangeView[] {
  const changes = memberChanges("", { ...before, screens: null }, { ...after, screens: null });
  const former = new Map(before.screens.map((screen) => [screen.id, screen]));
  const present = new Set(after.screens.map(({ id }) => id));
  for (const screen of before.screens) {
    if (!present.has(screen.id)) {
      changes.push({ op: "remove", path: `/screens/${screen.id}`, before: screen, after: null });
    }
  }
  const kept = before.screens.filter(({ id }) => present.has(id));
  let place = 0;
  for (const [index, screen] of after.screens.entries()) {
    const path = `/screens/${screen.id}`;
    const old = former.get(screen.id);
    if (!old) {
      changes.push({ op: "add", path, before: null, after: screen });
      continue;
    }
    if (kept[place]?.id !== screen.id) {
      changes.push({ op: "move", path, before: before.screens.indexOf(old), after: index });
    }
    place += 1;
    const { content: oldContent, settings: oldSettings, localizations: oldTexts, ...oldRest } = old;
    const { content, settings, localizations, ...rest } = screen;
    changes.push(
      ...memberChanges(path, oldRest, rest),
      ...memberChanges(`${path}/content`, oldContent, content),
      ...memberChanges(`${path}/settings`, oldSettings, settings),
      ...memberChanges(`${path}/localizations`, translations(oldTexts), translations(localizations)),
    );
  }
  return changes;
}

function memberChanges(path: string, before: Record<string, unknown>, after: Record<string, unknown>): ChangeView[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => comparable(before[name]) !== comparable(after[name]))
    .map((name) => ({ op: "replace", path: `${path}/${name}`, before: before[name], after: after[name] }));
}

/** Return a value for comparisons: a member without a value is as one that is left out. */
function comparable(value: unknown): string {
  return value === undefined || value === null || value === "" ? "" : JSON.stringify(value);
}
