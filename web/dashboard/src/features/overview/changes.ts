import type { AuditEntryView } from "@/api/schema";
import { texts } from "@/texts";

/** Return what an entry of the audit log says, in words without its actor: `created the flow “Welcome”`. */
export function changeInWords(entry: AuditEntryView): string {
  const verb = entry.action.slice(entry.action.indexOf(".") + 1);
  const words = texts.overview.verbs[verb] ?? verb.replaceAll("_", " ");
  const noun = texts.overview.nouns[entry.entity_type] ?? entry.entity_type.replaceAll("_", " ");
  const name = nameIn(entry.after) ?? nameIn(entry.before) ?? entry.entity_name ?? null;
  return texts.overview.change(words, noun, name);
}

function nameIn(members: AuditEntryView["after"]): string | null {
  const name = members?.name;
  return typeof name === "string" && name !== "" ? name : null;
}

/** Changes of one actor in one request: a flow with its screens is created at once. */
export interface Change {
  entry: AuditEntryView;
  /** The number of further objects that were changed in the same way. */
  more: number;
}

const AT_ONCE_MILLISECONDS = 1_000;

/**
 * Return the changes, the newest first. Those that one person made within a second count as one: a project stands for its
 * flows, a flow for its screens. The same change of an object, repeated, counts once.
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
    // What began it is its name: a project is created, and then changed.
    const entry = group.findLast((one) => rank(one) === top);
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
