/** A paywall: benefits and products. The page reports the choice, and the app sells. */

import { heading, items, subtitle } from "@onboarding/flow/content";
import { text } from "@onboarding/flow/json";
import { products } from "@onboarding/flow/products";
import { h } from "../dom";
import { paragraph, title } from "../frame";
import { image } from "../picture";
import { card } from "./choices";
import { itemList } from "./information";
import type { ScreenContext, ScreenView } from "./screen";

/** Return the view of a paywall. */
export function paywall(context: ScreenContext): ScreenView {
  const { screen, flow } = context;
  const { content } = screen;
  const offered = products(content);
  const cards = offered.map((product) =>
    card(
      "radio",
      { value: product.id, label: product.label, description: product.description },
      product.isPreselected ? [product.id] : [],
      product.badge,
    ),
  );
  return {
    close: content.close_button === true,
    content: [
      image(context),
      title(heading(screen), flow.projectName),
      paragraph(subtitle(content)),
      itemList(items(content), "check"),
      cards.length > 0 &&
        h(
          "div",
          { class: "cards", role: "radiogroup", "aria-labelledby": "heading" },
          ...cards.map((entry) => entry.label),
        ),
      paragraph(text(content.legal_text), "legal"),
    ],
    read: () => {
      const chosen = cards.find((entry) => entry.input.checked);
      return chosen ? { answer: chosen.option.value } : null;
    },
  };
}
