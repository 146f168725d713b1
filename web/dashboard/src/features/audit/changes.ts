import type { AuditEntryView } from "@/api/schema";
import { auditTexts } from "./texts";

/** A member before and after a change; undefined where the object did not exist. */
export interface Change {
  member: string;
  before: string | undefined;
  after: string | undefined;
}

function inWords(value: unknown): string | undefined {
  return value === undefined || typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** Return the members that an entry of the audit log changed, in the order of their names. */
export function changesOf({ before, after }: Pick<AuditEntryView, "before" | "after">): Change[] {
  const members = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...members]
    .sort()
    .map((member) => ({ member, before: inWords(before?.[member]), after: inWords(after?.[member]) }));
}

/** Return the verb and the noun of an entry: "changed the draft of" and "a flow". */
export function verbAndNoun(entry: Pick<AuditEntryView, "action" | "entity_type">): [string, string] {
  const verb = entry.action.slice(entry.action.indexOf(".") + 1);
  return [
    auditTexts.verbs[verb] ?? verb.replaceAll("_", " "),
    auditTexts.nouns[entry.entity_type] ?? entry.entity_type.replaceAll("_", " "),
  ];
}

/** Return an entry as a sentence: "Changed the draft of a flow". */
export function actionInWords(entry: Pick<AuditEntryView, "action" | "entity_type">): string {
  const words = verbAndNoun(entry).join(" ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Return the author of an entry: the name, or else the id, which is all that is left of an erased user. */
export function authorInWords({ user_id, user_name }: Pick<AuditEntryView, "user_id" | "user_name">): string {
  return user_name ?? auditTexts.authors[user_id] ?? user_id;
}

/** Return the names of objects by their ids, from the entries that have one: a deletion has the name of its object. */
export function namesOf(entries: readonly AuditEntryView[]): ReadonlyMap<string, string> {
  return new Map(
    entries.flatMap((entry) => {
      const name = nameIn(entry) ?? entry.entity_name;
      return name ? [[entry.entity_id, name] as const] : [];
    }),
  );
}

/** Return the name of the object of an entry: from the entry, the present one, or from another entry. */
export function objectName(entry: AuditEntryView, names: ReadonlyMap<string, string>): string | undefined {
  return nameIn(entry) ?? entry.entity_name ?? names.get(entry.entity_id);
}

/** The views of objects by their type, below the project. */
const VIEWS = {
  flow: "flows/$flowId",
  screen: "screens/$screenId",
  theme: "themes/$themeId",
  experiment: "experiments/$experimentId",
  member: "settings/members",
  secret_key: "settings/api-keys",
  qa_device: "settings/qa-devices",
  project: "settings",
} as const;
const HAVE_NAMES: readonly string[] = ["flow", "screen", "theme", "experiment"] satisfies (keyof typeof VIEWS)[];

/** Return the view of the object of an entry; null for an object without one. A deleted object has no name now. */
export function viewOf({ entity_type: type, entity_name }: Pick<AuditEntryView, "entity_type" | "entity_name">) {
  const view = VIEWS[type as keyof typeof VIEWS] as (typeof VIEWS)[keyof typeof VIEWS] | undefined;
  return view === undefined || (HAVE_NAMES.includes(type) && !entity_name) ? null : view;
}

function nameIn({ before, after }: AuditEntryView): string | undefined {
  const own = [after?.name, before?.name].find((name) => typeof name === "string" && name !== "");
  return typeof own === "string" ? own : undefined;
}
