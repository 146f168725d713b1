/** The language of a flow that the device decides on: matching of tags and translated texts (docs/bucketing.md). */

import { type Json, list, memberOf, object, text } from "@onboarding/flow/json";

const MAX_TAG = 64;
const NAMES = ["value", "product_id", "name"];
/** Languages and scripts that are written from right to left. */
const RIGHT_TO_LEFT =
  /-(?:arab|hebr|thaa|nkoo|syrc|rohg|adlm)\b|^(?:ar|arc|ckb|dv|fa|he|iw|ks|lrc|mzn|nqo|pnb|ps|rhg|sd|syr|ug|ur|yi)(?!-[a-z]{4}\b|[a-z])/i;

/** Return the locale of the project that a tag matches. */
export function matchedLocale(locales: readonly string[], aliases: Json, wanted = ""): string {
  const known: Record<string, string> = {};
  for (const [tag, locale] of [...Object.entries(aliases), ...locales.map((locale) => [locale, locale])]) {
    known[String(tag).toLowerCase()] = text(locale);
  }
  const subtags = wanted.length <= MAX_TAG ? wanted.replace(/_/g, "-").toLowerCase().split("-") : [];
  while (subtags.length > 0) {
    const found = memberOf(known, subtags.join("-"));
    if (found) {
      return found;
    }
    subtags.pop();
    if (subtags[subtags.length - 1]?.length === 1) {
      subtags.pop();
    }
  }
  return locales[0] ?? "";
}

/** Return a flow of a configuration in the language that a tag matches. Projects with one language change nothing. */
export function localized(flow: Json, settings: Json, wanted?: string): Json {
  const locales = list(settings.locales).map((locale) => text(locale));
  if (locales.length < 2) {
    return flow;
  }
  const locale = matchedLocale(locales, object(settings.localeAliases), wanted);
  const screens = list(flow.screens).map((screen) => {
    const { localizations, ...others } = object(screen);
    return { ...others, content: translated(object(others.content), object(localizations), locale, locales) };
  });
  return { ...flow, screens, locale, direction: RIGHT_TO_LEFT.test(locale) ? "rtl" : "ltr" };
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
        put(copy, pointer.split("/").slice(1), value);
      }
    }
  }
  return copy;
}

function put(content: Json, tokens: string[], value: string): void {
  const names = tokens.map((token) => token.replace(/~1/g, "/").replace(/~0/g, "~"));
  const last = names.pop() ?? "";
  const inner = names.reduce<unknown>((found, name) => memberOf(found as Json, placeIn(found, name)), content);
  const container = (Array.isArray(inner) ? inner : object(inner)) as Json;
  const place = placeIn(container, last);
  if (typeof memberOf(container, place) === "string") {
    container[place] = value;
  }
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
