/** Members of a screen's content in one shape: aliases, plain texts in place of objects, and defaults. */

import { NAMES } from "./contents";
import type { FlowDocument, Screen } from "./document";
import { type Json, list, memberOf, number, object, text } from "./json";

/** The labels of buttons that a content leaves out. */
export interface Labels {
  allow: string;
  continue: string;
  /** With {0} for the name of a provider. */
  continueWith: string;
  notNow: string;
  /** Without a word for it, a way to sign up has its own name, such as Apple. */
  emailName?: string;
  phoneName?: string;
}

export interface Button {
  label: string;
  action: string;
  url: string;
  /** What an action of the app gets. */
  data?: Json;
}

export interface Option {
  value: string;
  label: string;
  description: string;
  icon: string;
  emoji: string;
  image: Picture | null;
}

export interface Item {
  icon: string;
  title: string;
  description: string;
}

/** Return the heading of a screen; empty without one. */
export function heading({ content }: Pick<Screen, "content">): string {
  return textOf(content, NAMES.screen.title);
}

/** Return the text below the heading of a screen. */
export function subtitle(content: Json): string {
  return textOf(content, NAMES.screen.subtitle);
}

/**
 * Return the primary and the secondary button; a screen without buttons gets "Continue", or the choice of a permission.
 */
export function buttons(screen: Screen, labels: Labels): [Button, Button | null] {
  const { content } = screen;
  const primary = readButton(firstOf(content, NAMES.screen.primary_button));
  const secondary = readButton(firstOf(content, NAMES.screen.secondary_button));
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
  const label = text(value, textOf(source, NAMES.button.label));
  const url = textOf(source, NAMES.button.url);
  const action = text(source.action) || (url ? "open_url" : "next");
  return label ? { label, action, url, ...(source.data ? { data: object(source.data) } : {}) } : null;
}

/** Return the options of a question; those without a label are left out. */
export function options(content: Json): Option[] {
  return list(firstOf(content, NAMES.choice.options))
    .map((entry) => {
      const source = object(entry);
      return {
        value: text(entry, textOf(source, NAMES.option.value)),
        label: text(entry, textOf(source, NAMES.option.label)),
        description: text(source.description),
        icon: text(source.icon),
        emoji: text(source.emoji),
        image: mediaFile(/^https:\/\//i.test(text(source.image)) ? { url: source.image } : source.image),
      };
    })
    .filter((option) => option.label);
}

/** Return whether the options of a question stand in two columns: as the content says, else where all have a picture. */
export function isGrid(content: Json, shown: readonly Option[]): boolean {
  const columns = number(content.columns);
  return columns ? columns > 1 : shown.length > 1 && shown.every(({ image }) => image);
}

/** Return the items of a list; those without texts are left out. */
export function items(content: Json): Item[] {
  return list(firstOf(content, NAMES.screen.items))
    .map((entry) => {
      const source = object(entry);
      return {
        icon: text(source.icon),
        title: text(entry, textOf(source, NAMES.item.title)),
        description: textOf(source, NAMES.item.description),
      };
    })
    .filter((item) => item.title || item.description);
}

/** A picture: an address alone, or a file of the media library. */
export interface Picture {
  url: string;
  /** Addresses of other widths, as browsers read them. */
  srcset: string;
  /** Of a file of the library, in pixels. */
  width: number | undefined;
  height: number | undefined;
  alt: string;
  /** The colour of the place before the picture is there. */
  placeholder: string;
  /** The part that stays in sight, as CSS. */
  position: string;
  /** Empty for a picture; `illustration` for one of the pages' own, and the kinds of what moves. */
  kind: string;
  /** The still picture of what moves. */
  poster: string;
  /** The picture of dark pages. */
  dark: Picture | null;
}

/**
 * Return the picture of a screen: a file of the media library, an https or data address, or an illustration by its
 * name; null without a picture.
 */
export function picture(screen: Screen, flow: FlowDocument): Picture | null {
  return [...NAMES.screen.image_url, "illustration"].reduce<Picture | null>(
    (found, name) => found ?? pictureFrom(screen.content[name], flow),
    null,
  );
}

/** Return the picture that a member names, null for other values. */
export function pictureFrom(value: unknown, flow: Pick<FlowDocument, "illustrations">): Picture | null {
  const address = text(value);
  const isAddress = /^(https:\/\/|data:image\/)/i.test(address);
  return (
    mediaFile(isAddress ? { url: address } : value) ??
    mediaFile({ url: memberOf(flow.illustrations, address), kind: "illustration" })
  );
}

/** Return a file of the media library, as the publisher describes it; null without an address. */
export function mediaFile(value: unknown): Picture | null {
  const source = object(value);
  const url = text(source.url);
  const focus = object(source.focal_point);
  return url
    ? {
        url,
        srcset: list(source.srcset)
          .map(object)
          .map((file) => `${text(file.url)} ${number(file.width)}w`)
          .join(","),
        width: number(source.width),
        height: number(source.height),
        alt: text(source.alt),
        placeholder: text(source.placeholder),
        position: `${percent(focus.x)} ${percent(focus.y)}`,
        kind: text(source.kind),
        poster: text(source.poster),
        dark: mediaFile(source.dark),
      }
    : null;
}

function percent(share: unknown): string {
  return `${(number(share) ?? 0.5) * 100}%`;
}

/** Return how many choices a question needs and allows. */
export function bounds(content: Json, count: number): { min: number; max: number } {
  const max = Math.min(count, Math.max(1, number(content.max_selected) ?? count));
  const min = Math.max(0, number(content.min_selected) ?? (content.required === true ? 1 : 0));
  return { min: Math.min(min, max), max };
}

/** Return the first of the members that is a text or a number. */
export function textOf(source: Json, names: readonly string[]): string {
  return text(...names.map((name) => source[name]));
}

/** Return the first of the members that has a value. */
function firstOf(source: Json, names: readonly string[]): unknown {
  return source[names.find((name) => (source[name] ?? null) !== null) ?? ""];
}
