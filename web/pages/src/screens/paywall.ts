/** A paywall: benefits and products. The page reports the choice, and the app sells. */

import { heading, items, subtitle } from "@onboarding/flow/content";
import { type Json, number, text } from "@onboarding/flow/json";
import { type Price, type Product, paywallLayout, products, timeline } from "@onboarding/flow/products";
import { type Child, h } from "../dom";
import { badge, paragraph, title } from "../frame";
import { image } from "../picture";
import { afterVisible } from "../visibleTime";
import { WORDS } from "../words";
import { card } from "./choices";
import { itemList } from "./information";
import type { ScreenContext, ScreenView } from "./screen";
import type { versus } from "./versus";

const MAX_DELAY_SECONDS = 30;

/** Return the view of a paywall. The script of columns is there for the layout that has them. */
export function paywall(context: ScreenContext, columnsOf?: typeof versus): ScreenView {
  const { screen, flow, isReturn } = context;
  const { content } = screen;
  const layout = paywallLayout(content);
  const rows = products(content).map(rowOf);
  const chosen = () => rows.find((row) => row.input.checked);
  const closes = content.close_button === true;
  const group = h(
    "div",
    {
      class: layout === "cards" ? "cards grid offers" : "cards",
      role: "radiogroup",
      "aria-labelledby": "heading",
    },
    ...rows.map((row) => row.label),
  );
  return {
    close: closes,
    content: [
      image(context),
      title(heading(screen), flow.projectName),
      paragraph(subtitle(content)),
      layout === "timeline" && steps(content),
      layout === "comparison" && columnsOf?.(content),
      itemList(items(content), "check"),
      rows.length > 0 && group,
      paragraph(text(content.legal_text), "legal"),
      links(context),
    ],
    read: () => {
      const product = chosen()?.product;
      return product ? { answer: product.id } : null;
    },
    mounted: (frame) => {
      // Paywalls without a layout look as they did before there were layouts.
      frame.classList.toggle("offer", Boolean(content.layout) && rows.length > 0);
      const button = frame.querySelector(".footer .primary");
      const label = button?.textContent ?? "";
      const follow = () => {
        if (button) {
          button.textContent = chosen()?.product.cta || label;
        }
      };
      group.addEventListener("change", follow);
      follow();
      if (closes && !isReturn) {
        delay(frame.querySelector(".bar > :last-child"), content.close_delay_seconds);
      }
    },
  };
}

/** Return the row of a product with its control. */
function rowOf(product: Product) {
  const { id, label, description, isPreselected, badge: note } = product;
  const row = card("radio", { value: id, label, description }, isPreselected ? [id] : [], note);
  showPrice(row.label, product);
  return { ...row, product };
}

/** Show the texts of a store in the rows of products. A text that it leaves out stays as it is. */
export function showPrices(rows: readonly HTMLInputElement[], content: Json, found: readonly Json[]): void {
  for (const product of products(content)) {
    const known = found.find(({ productId }) => text(productId) === product.id);
    const label = rows.find(({ value }) => value === product.id)?.closest<HTMLElement>("label");
    if (known && label) {
      showPrice(label, {
        price: text(known.price, product.price),
        period: text(known.period, product.period),
        perMonth: text(known.pricePerMonth, product.perMonth),
        trial: text(known.trial, product.trial),
      });
    }
  }
}

/** Show the texts of a price in the row of a product, in place of those before. */
function showPrice(row: HTMLElement, { price, period, perMonth, trial }: Price): void {
  for (const part of row.querySelectorAll(".price, .per-month, .trial")) {
    part.remove();
  }
  const part = (name: string, label: string) => (label ? [h("span", { class: name, dir: "auto" }, label)] : []);
  const shown = [...part("amount", price), ...part("period", period)];
  row.classList.toggle("priced", shown.length > 0);
  if (shown.length > 0) {
    row.querySelector(".mark")?.before(h("span", { class: "price" }, ...shown));
  }
  row.querySelector(".card-text")?.append(...part("period per-month", perMonth), ...part("trial", trial));
}

/** Return the steps of a trial, as a line in time. */
function steps(content: ScreenContext["screen"]["content"]): Child {
  const shown = timeline(content).map((step) =>
    h(
      "li",
      {},
      badge(step.icon || "check"),
      h("div", { dir: "auto" }, step.label && h("p", { class: "item-title" }, step.label), h("p", {}, step.text)),
    ),
  );
  return shown.length > 0 && h("ol", { class: "items timeline" }, ...shown);
}

/** Return the quiet links below a paywall: earlier purchases, terms and privacy. */
function links({ screen: { content }, press }: ScreenContext): Child {
  const link = (label: string, address: unknown) => {
    const href = text(address);
    return /^https:\/\//i.test(href) && h("a", { href, target: "_blank", rel: "noopener noreferrer" }, label);
  };
  const restore = () => press({ label: WORDS.restore, action: "restore", url: "" });
  const shown = [
    content.restore_link === true && h("button", { type: "button", click: restore }, WORDS.restore),
    link(WORDS.terms, content.terms_url),
    link(WORDS.privacy, content.privacy_url),
  ].filter(Boolean);
  return shown.length > 0 && h("p", { class: "links", dir: "auto" }, ...shown);
}

/** Show the button that closes the screen after so many seconds in sight. */
function delay(button: HTMLElement | null, seconds: unknown): void {
  const wait = Math.min(MAX_DELAY_SECONDS, Math.max(0, number(seconds) ?? 0));
  if (button && wait > 0) {
    button.style.visibility = "hidden";
    afterVisible(wait * 1000, () => {
      button.style.visibility = "";
    });
  }
}
