/** The entries of summaries and of social proof. */

import { type Picture, pictureFrom, textOf } from "./content";
import { NAMES } from "./contents";
import type { FlowDocument } from "./document";
import { type Json, list, number, object, text } from "./json";

const MAX_STARS = 5;

export interface Row {
  icon: string;
  label: string;
  text: string;
}

export interface Quote {
  text: string;
  name: string;
  /** From 0 to 5; undefined without a rating. */
  stars: number | undefined;
  image: Picture | null;
}

/** Return the rows of a summary. One without a text is left out: a name in it may have no value. */
export function rows(content: Json): Row[] {
  return list(content.rows)
    .map((entry) => {
      const source = object(entry);
      return {
        icon: text(source.icon),
        label: textOf(source, NAMES.row.label),
        text: text(entry, textOf(source, NAMES.row.text)),
      };
    })
    .filter((row) => row.text);
}

/** Return the quotes; those without a text are left out. */
export function quotes(content: Json, flow: Pick<FlowDocument, "illustrations">): Quote[] {
  return list(content.quotes)
    .map((entry) => {
      const source = object(entry);
      return {
        text: text(entry, textOf(source, NAMES.quote.text)),
        name: textOf(source, NAMES.quote.name),
        stars: starsOf(source.stars),
        image: pictureFrom(source.image, flow),
      };
    })
    .filter((quote) => quote.text);
}

/** Return a number of stars, undefined for a value that is none. */
export function starsOf(value: unknown): number | undefined {
  const stars = number(value);
  return stars === undefined ? undefined : Math.min(MAX_STARS, Math.max(0, stars));
}
