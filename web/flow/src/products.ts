/** The products of a paywall. */

import { textOf } from "./content";
import { NAMES } from "./contents";
import { type Json, list, object, text } from "./json";

export interface Product {
  id: string;
  label: string;
  badge: string;
  description: string;
  isPreselected: boolean;
}

/** Return the products of a paywall. One of them is preselected, by default the first. */
export function products(content: Json): Product[] {
  const found = list(content.products)
    .map((entry) => {
      const source = object(entry);
      return {
        id: text(entry, textOf(source, NAMES.product.product_id)),
        label: text(entry, textOf(source, NAMES.product.label)),
        badge: text(source.badge),
        description: textOf(source, NAMES.product.price),
        isPreselected: source.is_preselected === true,
      };
    })
    .filter((product) => product.label);
  const chosen = found.find((product) => product.isPreselected) ?? found[0];
  return found.map((product) => ({ ...product, isPreselected: product === chosen }));
}
