import type { AuditEntryView } from "@/api/schema";

/** A member before and after a change; undefined on the side where the object did not exist. */
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

/** Return an action such as `flow.draft_saved` as "Flow: draft saved". */
export function actionInWords(action: string): string {
  const words = action.replaceAll("_", " ").replace(".", ": ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
