import { columns } from "@onboarding/flow/columns";
import { items } from "@onboarding/flow/content";
import { PAYWALL_LAYOUTS, type Paywall } from "@onboarding/flow/contents";
import { paywallLayout, products, timeline } from "@onboarding/flow/products";
import { editorTexts } from "@/features/editor/texts";
import type { Content } from "../document";
import { type Field, ICON, ILLUSTRATION, IMAGE, LEGAL, long, SUBTITLE, TITLE, text, toggle } from "./fields";

const words = editorTexts.fields;
const price = editorTexts.paywall;

const TIMELINE: Field<keyof Paywall> = {
  kind: "list",
  path: "timeline",
  label: price.timeline,
  add: words.addStep,
  read: (list) => timeline({ timeline: list }),
  item: [text("label", words.label), long("text", words.text), ICON],
  brief: 2,
  blank: { label: "", text: "" },
  unique: {},
};

/** The columns of a comparison, of a screen of that type and of a paywall. */
export const VERSUS: Field<"columns"> = {
  kind: "list",
  path: "columns",
  label: words.columns,
  add: words.addColumn,
  read: (list) => columns({ columns: list }),
  item: [text("title", words.title), { kind: "lines", path: "points", label: words.points, help: words.pointsHelp }],
  brief: 2,
  blank: { title: "", points: [] },
  unique: {},
  max: 2,
};

const PRODUCTS: Field<keyof Paywall> = {
  kind: "list",
  path: "products",
  label: words.products,
  add: words.addProduct,
  read: (list) => products({ products: list }),
  item: [
    text("label", words.label),
    text("product_id", words.productId),
    text("price_text", words.price, price.priceHelp),
    text("period_text", price.period, price.periodHelp),
    text("per_month_text", price.perMonth),
    text("trial_text", price.trial),
    text("badge", words.badge),
    text("price", words.description),
    toggle("is_preselected", words.preselected),
  ],
  brief: 3,
  blank: { product_id: "", label: "", badge: null, is_preselected: false },
  unique: { product_id: "", is_preselected: false },
};

/** Return the fields of a paywall with this content: those of its layout, and a label of the button by product. */
export function paywallFields(content: Content): readonly Field[] {
  const layout = paywallLayout(content);
  const keys = products(content).map(({ id, label }) => ({ key: id, label }));
  return [
    { kind: "select", path: "layout", label: price.layout, options: PAYWALL_LAYOUTS, known: PAYWALL_LAYOUTS },
    TITLE,
    SUBTITLE,
    IMAGE,
    ILLUSTRATION,
    ...(layout === "timeline" ? [TIMELINE] : []),
    ...(layout === "comparison" ? [VERSUS] : []),
    {
      kind: "texts",
      path: "benefits",
      label: words.benefits,
      add: words.addBenefit,
      read: (list) => items({ items: list }),
    },
    PRODUCTS,
    ...(keys.length > 0
      ? [{ kind: "labels", path: "cta_by_product", label: price.cta, help: price.ctaHelp, keys } as const]
      : []),
    LEGAL,
    toggle("restore_link", price.restore),
    text("terms_url", price.terms, price.addressHelp),
    text("privacy_url", price.privacy, price.addressHelp),
    toggle("close_button", words.closeButton),
    ...(content.close_button === true
      ? [
          {
            kind: "number",
            path: "close_delay_seconds",
            label: price.closeDelay,
            help: price.closeDelayHelp,
            between: [0, 30],
          } as const,
        ]
      : []),
  ] satisfies readonly Field<keyof Paywall>[];
}
