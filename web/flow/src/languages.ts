/** Translated texts of contents, and the direction of languages (docs/bucketing.md, Languages). */

import { type Json, memberOf, object } from "./json";

const NAMES = ["value", "product_id", "name"];
/** Languages and scripts that are written from right to left. */
const RIGHT_TO_LEFT =
  /^[a-z]+-(?:arab|hebr|thaa|nkoo|syrc|rohg|adlm)\b|^(?:ar|arc|ckb|dv|fa|he|iw|ks|lrc|mzn|nqo|pnb|ps|rhg|sd(?!-in)|syr|ug(?!-kz|-mn)|ur|yi|(?:az|ku)-i[qr]|(?:kk|ky)-cn|kk-(?:af|ir|mn)|(?:pa|tg)-pk|ku-lb|uz-af|ms-cc|ha-(?:cm|sd))(?!-[a-z]{4}\b|[a-z])/i;

/** Return the direction of a language tag. */
export function directionOf(locale: string): "ltr" | "rtl" {
  return RIGHT_TO_LEFT.test(locale) ? "rtl" : "ltr";
}

/** Return a content with the texts of a locale, or of its shorter forms. */
export function translated(content: Json, localizations: Json, locale: string, locales: readonly string[]): Json {
  const copy = JSON.parse(JSON.stringify(content)) as Json;
  const parts = locale.split("-");
  // The texts of longer forms come last, over the others.
  for (let length = 1; length <= parts.length; length += 1) {
    const tag = parts.slice(0, length).join("-");
    const texts = locales.indexOf(tag) > 0 ? Object.entries(object(localizations[tag])) : [];
    for (const [pointer, value] of texts) {
      if (typeof value === "string" && value) {
        const [inner, place] = placeOf(copy, pointer);
        if (typeof memberOf(inner, place) === "string") {
          inner[place] = value;
        }
      }
    }
  }
  return copy;
}

/** Return the text of a content at the JSON pointer of a translation; undefined if there is none. */
export function textAt(content: Json, pointer: string): string | undefined {
  const found = memberOf(...placeOf(content, pointer));
  return typeof found === "string" ? found : undefined;
}

/** Return the keys that a pointer leads along: items of lists have places there, and names in the pointer. */
export function placesOf(content: Json, pointer: string): string[] {
  let inner: unknown = content;
  return names(pointer).map((name) => {
    const place = placeIn(inner, name);
    inner = memberOf(container(inner), place);
    return place;
  });
}

/** Return the object or list that a pointer leads to, and the key of its last name there. */
function placeOf(content: Json, pointer: string): [Json, string] {
  const places = placesOf(content, pointer);
  const last = places.pop() ?? "";
  return [places.reduce((inner, place) => container(memberOf(inner, place)), content), last];
}

function names(pointer: string): string[] {
  const [, ...tokens] = pointer.split("/");
  return tokens.map((token) => token.replace(/~1/g, "/").replace(/~0/g, "~"));
}

function container(value: unknown): Json {
  return Array.isArray(value) ? (value as unknown as Json) : object(value);
}

/** Return the key of a name. Items of lists have names. */
function placeIn(container: unknown, name: string): string {
  if (!Array.isArray(container)) {
    return name;
  }
  const names = container.map(nameOf).map((own, place, all) => (all.indexOf(own) === place ? own : ""));
  const place = names.indexOf(name);
  return place >= 0 ? String(place) : names[Number(name)] === "" ? name : "-";
}

function nameOf(item: unknown): string {
  const named = NAMES.map((member) => object(item)[member]);
  return String(named.find((name) => typeof name === "number" || (typeof name === "string" && name !== "")) ?? "");
}
