/** Language and direction of the page, before its first paint. */

const RIGHT_TO_LEFT = /^(ar|arc|ckb|dv|fa|he|iw|ks|ps|sd|ug|ur|yi)\b|-(arab|hebr|thaa|nkoo|adlm)\b/i;

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

/** Return the direction of a language tag. */
export function directionOf(tag: string): "rtl" | "ltr" {
  return RIGHT_TO_LEFT.test(tag) && !/-latn\b/i.test(tag) ? "rtl" : "ltr";
}
