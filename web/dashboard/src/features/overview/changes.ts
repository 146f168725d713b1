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
  /** The number of further entries. */
  more: number;
}

const AT_ONCE_MILLISECONDS = 1_000;

/** Return the changes, the newest first; those that one person made within a second count as one, the last of them. */
export function groupChanges(entries: readonly AuditEntryView[]): Change[] {
  const changes: Change[] = [];
  let newest: AuditEntryView | undefined;
  for (const entry of entries) {
    const last = changes.at(-1);
    const together =
      newest?.user_id === entry.user_id && Date.parse(newest.at) - Date.parse(entry.at) < AT_ONCE_MILLISECONDS;
    if (last && together) {
      last.more += 1;
      // A flow stands for its screens.
      if (rank(entry) > rank(last.entry)) {
        last.entry = entry;
      }
    } else {
      changes.push({ entry, more: 0 });
      newest = entry;
    }
  }
  return changes;
}

function rank({ entity_type: type }: AuditEntryView): number {
  return ["screen", "secret_key", "member", "flow", "project"].indexOf(type);
}
