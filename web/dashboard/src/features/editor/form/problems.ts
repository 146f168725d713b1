import type { ErrorDetail, ProblemView } from "@/api/schema";
import { languageName } from "@/features/settings/languages";
import { asSentence } from "@/ui/form/fieldErrors";
import { FLOW, type FlowDocument } from "../document";
import { logicTexts } from "../logic/texts";

/** The errors of a document by screen, or `FLOW`, and then by field. */
export type FieldErrors = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** The code of a name of no answer and no variable. */
const UNKNOWN_ANSWER = "UNKNOWN_ANSWER";

/** Return whether a problem is one of the logic of a flow. */
export function isLogicProblem(code: string): boolean {
  return code === UNKNOWN_ANSWER || code in logicTexts.problems;
}

/** Return a problem as a sentence. */
export function problemInWords({ code, message }: Pick<ProblemView, "code" | "message">): string {
  if (code === UNKNOWN_ANSWER) {
    return message.includes("variables.") ? logicTexts.unknownVariable : logicTexts.unknownAnswer;
  }
  return logicTexts.problems[code] ?? asSentence(languageNamed(message));
}

/** Return a message about translations with the name of their language in place of its tag. */
export function languageNamed(message: string): string {
  return message.replace(/(?<=translations? into )\S+$/, languageName);
}

/** Return the place of a problem in words, from the names of its path. */
export function placeInWords(names: readonly string[]): string {
  const [first, locale = "", ...rest] = names;
  const place = first === "localizations" ? [languageName(locale), ...rest] : names;
  return place.join(", ").replaceAll("_", " ");
}

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
      fields.set(field, message);
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
  for (const problem of problems) {
    const parts = problem.field.split("/").slice(1);
    addAt(parts, parts[1], problemInWords(problem));
  }
  for (const { field, message } of rejected) {
    const parts = field.replace(/^document\./, "").split(".");
    addAt(parts, document.screens[Number(parts[1])]?.id, asSentence(message));
  }
  return errors;
}
