import { ICON_NAMES, ICON_PATTERN, ILLUSTRATIONS, IMAGE_PATTERN } from "@onboarding/flow/contents";
import { iconName } from "@onboarding/flow/icons";
import { editorTexts } from "@/features/editor/texts";
import type { Field } from "./fields";

const words = editorTexts.fields;

/**
 * Return a hint for a value that hosted pages leave out or replace. It is no warning of the validation: apps that draw
 * screens themselves may take the value.
 */
export function hintOf(field: Field, value: unknown): string | undefined {
  if (typeof value !== "string" || value === "") {
    return undefined;
  }
  switch (field.kind) {
    case "image":
      return IMAGE_PATTERN.test(value) ? undefined : words.imageLeftOut;
    case "icon":
      return isIcon(value) ? undefined : words.iconUnknown;
    case "illustration":
      return ILLUSTRATIONS.some((known) => known === value) ? undefined : words.unknown;
    case "select":
      return field.known && !field.known.includes(value) ? words.unknown : undefined;
    default:
      return undefined;
  }
}

function isIcon(value: string): boolean {
  return ICON_PATTERN.test(value) || ICON_NAMES.some((known) => known === iconName(value));
}
