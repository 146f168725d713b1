/** Screens that show what was made for the user, what others say, and what differs. */

import { heading, items, subtitle } from "@onboarding/flow/content";
import { text } from "@onboarding/flow/json";
import { quotes, rows, starsOf } from "@onboarding/flow/panels";
import { type Child, h } from "../dom";
import { badge, paragraph, title } from "../frame";
import { icon } from "../icons";
import { image, SIZES, shownPicture } from "../picture";
import { counted, WORDS } from "../words";
import { itemList } from "./information";
import type { ScreenContext, ScreenView, ScreenViews } from "./screen";
import { versus } from "./versus";

const STARS = 5;

/** The views by types of screens. */
export const PANELS: ScreenViews = { comparison, social_proof: socialProof, summary };

/** Return the view of a summary: a row for each answer, for example. */
function summary(context: ScreenContext): ScreenView {
  const shown = rows(context.screen.content).map((row) =>
    h(
      "li",
      {},
      row.icon && badge(row.icon),
      h(
        "div",
        { dir: "auto" },
        row.label && h("p", { class: "row-label" }, row.label),
        h("p", { class: "item-title" }, worded(row.text)),
      ),
    ),
  );
  return panel(context, shown.length > 0 && h("ul", { class: "items rows" }, ...shown));
}

/** Return a text, or the word for the answer of a box, which is `true` or `false` in texts (docs/logic.md). */
function worded(value: string): string {
  return value === "true" ? WORDS.yes : value === "false" ? WORDS.no : value;
}

/** Return the view of what others say, with a rating above. */
function socialProof(context: ScreenContext): ScreenView {
  const { screen, flow, isDark } = context;
  const rating = text(screen.content.rating);
  const value = starsOf(rating);
  const cards = quotes(screen.content, flow).map((quote) =>
    h(
      "li",
      { class: "panel" },
      h(
        "figure",
        {},
        stars(quote.stars),
        h("blockquote", { dir: "auto" }, quote.text),
        (quote.name || quote.image) &&
          h(
            "figcaption",
            {},
            quote.image && h("span", { class: "face" }, shownPicture(quote.image, isDark(), SIZES.face)),
            h("span", { dir: "auto" }, quote.name),
          ),
      ),
    ),
  );
  return panel(
    context,
    rating &&
      h(
        "p",
        { class: "rating" },
        h("span", { class: value === undefined ? "" : "figure", dir: "auto" }, rating),
        stars(value),
      ),
    cards.length > 0 && h("ul", { class: "quotes" }, ...cards),
  );
}

/** Return the view of two columns of points. The second one is what the flow is for. */
function comparison(context: ScreenContext): ScreenView {
  return panel(context, versus(context.screen.content));
}

function panel(context: ScreenContext, ...parts: Child[]): ScreenView {
  const { screen, flow } = context;
  const { content } = screen;
  return {
    content: [
      image(context),
      title(heading(screen), flow.projectName),
      paragraph(subtitle(content)),
      ...parts,
      itemList(items(content), "check"),
    ],
  };
}

/** Return a row of stars of which a part is filled; nothing without a number. */
function stars(count: number | undefined): Child {
  if (count === undefined) {
    return null;
  }
  const row = (className: string) =>
    h("span", { class: className }, ...Array.from({ length: STARS }, () => icon("star")));
  const filled = row("filled");
  filled.style.width = `${(count / STARS) * 100}%`;
  return h("span", { class: "stars", role: "img", "aria-label": counted(WORDS.stars, count) }, row(""), filled);
}
