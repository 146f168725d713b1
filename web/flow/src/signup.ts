/** The fields and providers of a sign-up. */

import type { Problem } from "./answers";
import { type Item, type Labels, textOf } from "./content";
import { NAMES } from "./contents";
import { type Json, list, memberOf, object, text } from "./json";

export interface Field {
  name: string;
  type: string;
  label: string;
  isRequired: boolean;
}

const SECRET = /password|passcode|passphrase|^(pin|pwd)$/i;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

type Names = Pick<Labels, "emailName" | "phoneName">;

/** Return the fields of a sign-up. A field for a password is never shown: the page must not see one. */
export function fields(content: Json, names: Names = {}): Field[] {
  return list(content.fields)
    .map((entry) => {
      const source = object(entry);
      const name = text(entry, textOf(source, NAMES.field.name));
      return {
        name,
        type: text(source.type, name).toLowerCase(),
        label: textOf(source, NAMES.field.label) || capitalized(nameOf(name, names)),
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
      const label = text(object(entry).label) || capitalized(labels.continueWith.replace("{0}", nameOf(name, labels)));
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

/** Return the name of a way to sign up: a word of the language, or its own name in a readable form. */
function nameOf(name: string, { emailName, phoneName }: Names): string {
  const known = { email: emailName, phone: phoneName };
  return memberOf(known, name.toLowerCase()) || capitalized(name.replace(/[_-]+/g, " ").trim());
}

function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
