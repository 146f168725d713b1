/** The fields and providers of a sign-up. */

import type { Problem } from "./answers";
import { type Item, type Labels, textOf } from "./content";
import { NAMES } from "./contents";
import { type Json, list, object, text } from "./json";

export interface Field {
  name: string;
  type: string;
  label: string;
  isRequired: boolean;
}

const SECRET = /password|passcode|passphrase|^(pin|pwd)$/i;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Return the fields of a sign-up. A field for a password is never shown: the page must not see one. */
export function fields(content: Json): Field[] {
  return list(content.fields)
    .map((entry) => {
      const source = object(entry);
      const name = text(entry, textOf(source, NAMES.field.name));
      return {
        name,
        type: text(source.type, name).toLowerCase(),
        label: textOf(source, NAMES.field.label) || readable(name),
        isRequired: source.required === true,
      };
    })
    .filter(({ name, type, label }) => name && ![name, type, label].some((part) => SECRET.test(part)));
}

/** Return the sign-in providers, with their names as icons. */
export function providers(content: Json, labels: Labels): Item[] {
  return list(content.providers)
    .map((entry) => {
      const name = text(entry, textOf(object(entry), NAMES.provider.provider));
      const label = text(object(entry).label) || labels.continueWith.replace("{0}", readable(name));
      return { icon: name, title: label, description: "" };
    })
    .filter((provider) => provider.icon);
}

/** Return the problem of the text of a sign-up's field, null if it is valid. */
export function fieldProblem(field: { type: string; isRequired: boolean }, value: string): Problem | null {
  const isEmail = field.type === "email";
  if (!value) {
    return field.isRequired ? { code: isEmail ? "email" : "missing" } : null;
  }
  return isEmail && !EMAIL.test(value) ? { code: "email" } : null;
}

function readable(name: string): string {
  const words = name.replace(/[_-]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
