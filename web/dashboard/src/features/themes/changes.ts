import { isSame } from "@/features/editor/draft/merge";
import { type ThemeDocument, valueAt } from "./document";
import { FIELDS, placeOf, type ThemeField } from "./fields";
import { themeTexts as words } from "./texts";

/** Return the changes from one document of a theme to another in words, in the order of the form. */
export function changesInWords(before: ThemeDocument, after: ThemeDocument): string[] {
  const name = { path: "name", label: words.name, kind: "text" } as const;
  const description = { path: "description", label: words.description, kind: "text" } as const;
  const told = [name, description, ...FIELDS].flatMap((field) => {
    const [former, present] = [before, after].map((document) => valueAt(document, placeOf(document, field)));
    return comparable(former) === comparable(present)
      ? []
      : [words.changed(field.label, valueInWords(field, former), valueInWords(field, present))];
  });
  // Members that no field has: an app's own colours, or those of a newer release.
  return told.length === 0 && !isSame(before, after) ? [words.otherMembers] : told;
}

function comparable(value: unknown): string {
  return value === undefined || value === null || value === "" ? "" : JSON.stringify(value);
}

/** Return the value of a field in words. */
export function valueInWords({ kind, options }: ThemeField, value: unknown): string {
  if (comparable(value) === "") {
    return words.none;
  }
  if (kind === "switch") {
    return value === true ? words.yes : words.no;
  }
  if (kind === "choice") {
    return options?.find((option) => option.value === value)?.label ?? String(value);
  }
  if (kind === "font" || kind === "logo" || kind === "background") {
    return wordsOfFile(value);
  }
  return String(value);
}

function wordsOfFile(value: unknown): string {
  if (typeof value === "object" && value !== null && "gradient" in value) {
    return words.gradient;
  }
  return typeof value === "string" && value.startsWith("#") ? value : words.file;
}
