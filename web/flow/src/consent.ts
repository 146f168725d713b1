/** The boxes of a consent. Each one is an answer of its own, true or false. */

import { textOf } from "./content";
import { NAMES } from "./contents";
import { type Json, list, object, text } from "./json";

export interface Box {
  name: string;
  label: string;
  isRequired: boolean;
  url: string;
}

/** Return the boxes; those without a label are left out. */
export function boxes(content: Json): Box[] {
  return list(content.items)
    .map((entry) => {
      const source = object(entry);
      return {
        name: text(entry, textOf(source, NAMES.consent_item.name)),
        label: text(entry, textOf(source, NAMES.consent_item.label)),
        isRequired: source.required === true,
        url: text(source.url),
      };
    })
    .filter(({ label }) => label);
}
