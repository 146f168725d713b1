import type { AuditEntryView } from "@/api/schema";
import { verbAndNoun } from "@/features/audit/changes";
import { overviewTexts } from "./texts";

/** Return an entry of the audit log in words, without its author: `created the flow “Welcome”`. */
export function changeInWords(entry: AuditEntryView): string {
  const [verb, noun] = verbAndNoun(entry);
  const name = nameIn(entry.after) ?? nameIn(entry.before) ?? entry.entity_name ?? null;
  return overviewTexts.change(verb, noun, name);
}

function nameIn(members: AuditEntryView["after"]): string | null {
  const name = members?.name;
  return typeof name === "string" && name !== "" ? name : null;
}

/** The changes of one user that are shown as one: a flow is created with its screens. */
export interface Change {
  entry: AuditEntryView;
  /** The number of further objects that were changed in the same way. */
  more: number;
}

const AT_ONCE_MILLISECONDS = 1_000;

/**
 * Return the changes, the newest first. The changes of one user within a second are one change, of the outermost
 * object: a project with its flows, a flow with its screens. Repeated changes of one object are one change.
 */
export function groupChanges(entries: readonly AuditEntryView[]): Change[] {
  const groups: AuditEntryView[][] = [];
  for (const entry of entries) {
    const group = groups.at(-1);
    const [newest] = group ?? [];
    if (group && newest && (isRepeated(newest, entry) || isTogether(newest, entry))) {
      group.push(entry);
    } else {
      groups.push([entry]);
    }
  }
  return groups.flatMap((group) => {
    const top = Math.max(...group.map(rank));
    // The oldest entry names the change: a project is created, and then changed.
    const entry = group.findLast((member) => rank(member) === top);
    const objects = new Set(group.filter(({ action }) => action === entry?.action).map(({ entity_id }) => entity_id));
    return entry ? [{ entry: { ...entry, at: group[0]?.at ?? entry.at }, more: objects.size - 1 }] : [];
  });
}

function isTogether(newest: AuditEntryView, entry: AuditEntryView): boolean {
  return newest.user_id === entry.user_id && Date.parse(newest.at) - Date.parse(entry.at) < AT_ONCE_MILLISECONDS;
}

function isRepeated(newest: AuditEntryView, entry: AuditEntryView): boolean {
  const { user_id, action, entity_id } = newest;
  return entry.user_id === user_id && entry.action === action && entry.entity_id === entity_id;
}

function rank({ entity_type: type }: AuditEntryView): number {
  return ["screen", "secret_key", "member", "flow", "project", "experiment"].indexOf(type);
}
