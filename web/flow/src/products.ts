/** The products of a paywall, and what its layouts show beside them. */

import { textOf } from "./content";
import { NAMES, PAYWALL_LAYOUTS } from "./contents";
import { type Json, list, memberOf, object, text } from "./json";
import type { Row } from "./panels";

/** The texts of a price. An app replaces them by those of its store. */
export interface Price {
  price: string;
  /** "per year", for example. */
  period: string;
  perMonth: string;
  trial: string;
}

export interface Product extends Price {
  id: string;
  label: string;
  badge: string;
  description: string;
  /** The label of the primary button while the product is chosen; empty for that of the screen. */
  cta: string;
  isPreselected: boolean;
}

/** Return the products of a paywall. One of them is preselected, by default the first. */
export function products(content: Json): Product[] {
  const labels = object(content.cta_by_product);
  const found = list(content.products)
    .map((entry) => {
      const source = object(entry);
      const id = text(entry, textOf(source, NAMES.product.product_id));
      return {
        id,
        label: text(entry, textOf(source, NAMES.product.label)),
        badge: text(source.badge),
        description: textOf(source, NAMES.product.price),
        price: text(source.price_text),
        period: text(source.period_text),
        perMonth: text(source.per_month_text),
        trial: text(source.trial_text),
        cta: text(memberOf(labels, id)),
        isPreselected: source.is_preselected === true,
      };
    })
    .filter((product) => product.label);
  const chosen = found.find((product) => product.isPreselected) ?? found[0];
  return found.map((product) => ({ ...product, isPreselected: product === chosen }));
}

/** Return the layout of a paywall, `list` for one that is not known. */
export function paywallLayout(content: Json): (typeof PAYWALL_LAYOUTS)[number] {
  return PAYWALL_LAYOUTS.find((layout) => layout === content.layout) ?? "list";
}

/** Return the steps of a trial: today, the reminder, its end. One without texts is left out. */
export function timeline(content: Json): Row[] {
  return list(content.timeline)
    .map((entry) => {
      const source = object(entry);
      return {
        icon: text(source.icon),
        label: text(entry, textOf(source, NAMES.row.label)),
        text: textOf(source, NAMES.row.text),
      };
    })
    .filter((step) => step.label || step.text);
}
