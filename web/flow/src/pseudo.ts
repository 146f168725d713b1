/**
 * Pseudo-locales of previews: English that shows which texts are not translated, and which do not fit. Nothing else has
 * them, so they are never published.
 */

import type { Json } from "./json";
import { mapTexts, NO_TEXT, TEXT } from "./texts";

/** `en-XA` is longer, has accents and stands in brackets; `ar-XB` runs from right to left. */
export const PSEUDO_LOCALES = ["en-XA", "ar-XB"] as const;
export type PseudoLocale = (typeof PSEUDO_LOCALES)[number];

const PLAIN = "AaBbCcDdEeFfGgHhIiJjKkLlMmNnOoPpQqRrSsTtUuVvWwXxYyZz";
const ACCENTED = "ÅåƁƀÇçÐðÉéƑƒĜĝĤĥÎîĴĵĶķĻļṀṁÑñÖöÞþǪǫŔŕŠšŢţÛûṼṽŴŵẊẋÝýŽž";
/** Translations of short texts are longer by a third and more. */
const GROWTH = 0.4;
const PADDING = " one two three four five six seven eight nine ten";
/** Members of contents that are known words or values, beside those that have no names filled in. */
const NO_WORDS = /^(?:align|color|default_value|emoji|layout|name)$|background|picker/;
const ADDRESS = /^(?:#|https?:|data:)/;
/** Controls of the direction, around each word: override, and its end. */
const [RIGHT_TO_LEFT, END] = ["\u202e", "\u202c"];

/** Return a text in a pseudo-locale. Variables in braces stay as they are, and tags in HTML. */
export function pseudo(text: string, locale: PseudoLocale, isHtml = false): string {
  if (!text.trim()) {
    return text;
  }
  const kept = new RegExp(isHtml ? `<[^>]*>|&\\w+;|${TEXT}` : TEXT, "g");
  let changed = "";
  let end = 0;
  const change = locale === "en-XA" ? accented : mirrored;
  for (const match of text.matchAll(kept)) {
    changed += change(text.slice(end, match.index)) + match[0];
    end = match.index + match[0].length;
  }
  changed += change(text.slice(end));
  // HTML has no place for brackets that is right in each element.
  return locale === "en-XA" && !isHtml ? `[${changed}${padding(text)}]` : changed;
}

/** Return a content whose texts are in a pseudo-locale. Values, addresses and known words stay. */
export function pseudoContent(content: Json, locale: PseudoLocale): Json {
  return mapTexts(content, "", (text, member) =>
    NO_TEXT.test(member) || NO_WORDS.test(member) || ADDRESS.test(text)
      ? text
      : pseudo(text, locale, member === "html"),
  ) as Json;
}

function accented(text: string): string {
  return text.replace(/[A-Za-z]/g, (letter) => [...ACCENTED][PLAIN.indexOf(letter)] ?? letter);
}

function mirrored(text: string): string {
  return text.replace(/[^\s<>&]+/g, (word) => `${RIGHT_TO_LEFT}${word}${END}`);
}

function padding(text: string): string {
  const length = Math.ceil(text.length * GROWTH);
  return PADDING.repeat(Math.ceil(length / PADDING.length))
    .slice(0, length)
    .trimEnd();
}
