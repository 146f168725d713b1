import type { ErrorDetail, ProblemView } from "@/api/schema";
import { asSentence } from "@/ui/form/fieldErrors";
import { FLOW, type FlowDocument } from "../document";

/** The errors of a document by screen, or `FLOW`, and then by field. */
export type FieldErrors = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Return the errors of a validation, and of the rejected save of a document, by the fields of the editor. */
export function errorsByField(
  problems: readonly ProblemView[],
  rejected: readonly ErrorDetail[],
  document: FlowDocument,
): FieldErrors {
  const errors = new Map<string, Map<string, string>>();
  const add = (owner: string, field: string, message: string) => {
    const fields = errors.get(owner) ?? new Map<string, string>();
    errors.set(owner, fields);
    if (!fields.has(field)) {
      fields.set(field, asSentence(message));
    }
  };
  const addAt = (parts: readonly string[], owner: string | undefined, message: string) => {
    const [first, , ...inner] = parts;
    if (first !== "screens" || owner === undefined) {
      add(FLOW, parts.join("."), message);
    } else {
      add(owner, inner[0] === "content" && inner.length > 1 ? inner.slice(1).join(".") : inner.join("."), message);
    }
  };
  for (const { field, message } of problems) {
    const parts = field.split("/").slice(1);
    addAt(parts, parts[1], message);
  }
  for (const { field, message } of rejected) {
    const parts = field.replace(/^document\./, "").split(".");
    addAt(parts, document.screens[Number(parts[1])]?.id, message);
  }
  return errors;
}
