/** Members of a screen's content in one shape: aliases, plain texts in place of objects, and defaults. */

import type { FlowDocument, Screen } from "./document";
import { type Json, list, memberOf, number, object, text } from "./json";

/** The labels of buttons that a content leaves out. */
export interface Labels {
  allow: string;
  continue: string;
  continueWith: string;
  notNow: string;
}

export interface Button {
  label: string;
  action: string;
  url: string;
}

export interface Option {
  value: string;
  label: string;
  description: string;
}

export interface Item {
  icon: string;
  title: string;
  description: string;
}

export interface Product {
  id: string;
  label: string;
  badge: string;
  description: string;
  isPreselected: boolean;
}

export interface Field {
  name: string;
  type: string;
  label: string;
  isRequired: boolean;
}

const SECRET = /password|passcode|passphrase|^(pin|pwd)$/i;

/** Return the heading of a screen; empty without one. */
export function heading({ content }: Screen): string {
  return text(content.title, content.question, content.heading, content.headline);
}

/**
 * Return the primary and the secondary button; a screen without buttons gets "Continue", or the choice of a permission.
 */
export function buttons(screen: Screen, labels: Labels): [Button, Button | null] {
  const { content } = screen;
  const primary = readButton(content.primary_button ?? content.button_text ?? content.button ?? content.cta);
  const secondary = readButton(content.secondary_button ?? content.secondary_button_text);
  if (primary) {
    return [primary, secondary];
  }
  return screen.type === "permissions"
    ? [button(labels.allow, "request_permission"), secondary ?? button(labels.notNow, "next")]
    : [button(labels.continue, "next"), secondary];
}

/** Return a button without an address. */
export function button(label: string, action: string): Button {
  return { label, action, url: "" };
}

function readButton(value: unknown): Button | null {
  const source = object(value);
  const label = text(value, source.label, source.text, source.title);
  const url = text(source.url, source.href);
  const action = text(source.action) || (url ? "open_url" : "next");
  return label ? { label, action, url } : null;
}

/** Return the options of a question; those without a label are left out. */
export function options(content: Json): Option[] {
  return list(content.options ?? content.choices)
    .map((entry) => {
      const source = object(entry);
      const label = text(entry, source.label, source.title, source.text, source.value);
      return { label, value: text(source.value, source.id) || label, description: text(source.description) };
    })
    .filter((option) => option.label);
}

/** Return the items of a list; those without texts are left out. */
export function items(content: Json): Item[] {
  return list(content.items ?? content.features ?? content.benefits)
    .map((entry) => {
      const source = object(entry);
      return {
        icon: text(source.icon),
        title: text(entry, source.title, source.label, source.text),
        description: text(source.description, source.subtitle),
      };
    })
    .filter((item) => item.title || item.description);
}

/** Return the products of a paywall. One of them is preselected, by default the first. */
export function products(content: Json): Product[] {
  const found = list(content.products)
    .map((entry) => {
      const source = object(entry);
      const label = text(entry, source.label, source.title, source.name, source.product_id);
      return {
        id: text(source.product_id, source.id) || label,
        label,
        badge: text(source.badge),
        description: text(source.price, source.description),
        isPreselected: source.is_preselected === true,
      };
    })
    .filter((product) => product.label);
  const chosen = found.find((product) => product.isPreselected) ?? found[0];
  return found.map((product) => ({ ...product, isPreselected: product === chosen }));
}

/** Return the fields of a sign-up. A field for a password is never shown: the page must not see one. */
export function fields(content: Json): Field[] {
  return list(content.fields)
    .map((entry) => {
      const source = object(entry);
      const name = text(entry, source.name, source.label);
      return {
        name,
        type: text(source.type, name).toLowerCase(),
        label: text(source.label, source.placeholder) || readable(name),
        isRequired: source.required === true,
      };
    })
    .filter(({ name, type, label }) => name && ![name, type, label].some((part) => SECRET.test(part)));
}

/** Return the sign-in providers, with their names as icons. */
export function providers(content: Json, labels: Labels): Item[] {
  return list(content.providers)
    .map((entry) => {
      const name = text(entry, object(entry).provider, object(entry).name, object(entry).id, object(entry).label);
      const label = text(object(entry).label) || `${labels.continueWith} ${readable(name)}`;
      return { icon: name, title: label, description: "" };
    })
    .filter((provider) => provider.icon);
}

/** Return the address of a picture: https, data, or that of an illustration by its name; empty without a picture. */
export function picture(screen: Screen, flow: FlowDocument): string {
  for (const name of ["image_url", "image", "illustration"]) {
    const value = text(screen.content[name]);
    if (/^(https:\/\/|data:image\/)/i.test(value)) {
      return value;
    }
    const illustration = text(memberOf(flow.illustrations, value));
    if (illustration) {
      return illustration;
    }
  }
  return "";
}

/** Return how many choices a question needs and allows. */
export function bounds(content: Json, count: number): { min: number; max: number } {
  const max = Math.min(count, Math.max(1, number(content.max_selected) ?? count));
  const min = Math.max(0, number(content.min_selected) ?? (content.required === true ? 1 : 0));
  return { min: Math.min(min, max), max };
}

function readable(name: string): string {
  const words = name.replace(/[_-]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
