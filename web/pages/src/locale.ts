/** Language and direction of the page, before its first paint. */

import { directionOf } from "@onboarding/flow/languages";

/** Set the language of the page: the wanted one, that of the browser, or English; and its direction, unless given. */
export function applyLocale(wanted: string | null, direction?: string): void {
  const tag = languageTag(wanted ?? "") || languageTag(navigator.language) || "en";
  document.documentElement.lang = tag;
  document.documentElement.dir = direction === "rtl" || direction === "ltr" ? direction : directionOf(tag);
}

/**
 * Return the longest beginning of a text that `Intl` takes as a language tag; empty without one. Devices have tags that
 * it refuses, for example `no_NO_NY` of Java.
 */
export function languageTag(wanted: string): string {
  const parts = wanted.trim().slice(0, 64).replace(/_/g, "-").split("-");
  for (let count = parts.length; count > 0; count -= 1) {
    try {
      return Intl.getCanonicalLocales(parts.slice(0, count).join("-"))[0] ?? "";
    } catch {
      // Without its last part it may be a tag.
    }
  }
  return "";
}
