/** The language of a flow that the device decides on: matching of tags and translated texts (docs/bucketing.md). */

import { type Json, list, memberOf, object, text } from "@onboarding/flow/json";
import { directionOf, translated } from "@onboarding/flow/languages";

const MAX_TAG = 64;

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
  return { ...flow, screens, locale, direction: directionOf(locale) };
}
