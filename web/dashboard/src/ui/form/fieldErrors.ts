import { ApiError } from "@/api/errors";
import type { ErrorDetail } from "@/api/schema";

/** The details of an error: messages by field, and those without a field. */
export interface SortedDetails {
  fields: Record<string, string>;
  others: ErrorDetail[];
}

/** The error of a failed submission, with the details that belong to no field. */
export interface FormFailure {
  error: unknown;
  details: readonly ErrorDetail[];
}

/** Return the failure of a submission without fields; it has all details of the error. */
export function failureOf(error: unknown): FormFailure {
  return { error, details: error instanceof ApiError ? error.details : [] };
}

/** Return a rule such as "must have 3 to 50 characters" as the sentence below a field. */
export function asSentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1);
}

const LIST_ITEM = /\.\d+$/;

function hasPath(values: unknown, path: string): boolean {
  let value = values;
  for (const member of path.split(".")) {
    if (typeof value !== "object" || value === null || !(member in value)) {
      return false;
    }
    value = (value as Record<string, unknown>)[member];
  }
  return true;
}

/**
 * Return the details of an error by the fields of a form. A detail belongs to the field with its path, to the one that
 * `names` maps it to, or to the nearest field around it: `platforms.0` to `platforms`.
 */
export function sortDetails(
  error: Pick<ApiError, "details">,
  values: Record<string, unknown>,
  names: Record<string, string> = {},
): SortedDetails {
  const sorted: SortedDetails = { fields: {}, others: [] };
  for (const detail of error.details) {
    let path = names[detail.field] ?? detail.field;
    while (LIST_ITEM.test(path) || (path.includes(".") && !hasPath(values, path))) {
      path = path.slice(0, path.lastIndexOf("."));
    }
    if (hasPath(values, path)) {
      sorted.fields[path] ??= asSentence(detail.message);
    } else {
      sorted.others.push(detail);
    }
  }
  return sorted;
}
