/** Language and direction of the page, before its first paint. */

const RIGHT_TO_LEFT = /^(ar|arc|ckb|dv|fa|he|iw|ks|ps|sd|ug|ur|yi)\b|-(arab|hebr|thaa|nkoo|adlm)\b/i;
const TAG = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i;

/** Set the language of the page: the wanted one, that of the browser, or English; and its direction, unless given. */
export function applyLocale(wanted: string | null, direction?: string): void {
  const candidates = [wanted, navigator.language, "en"].map((tag) => (tag ?? "").replaceAll("_", "-"));
  const tag = candidates.find((candidate) => TAG.test(candidate)) ?? "en";
  document.documentElement.lang = tag;
  document.documentElement.dir = direction === "rtl" || direction === "ltr" ? direction : directionOf(tag);
}

/** Return the direction of a language tag. */
export function directionOf(tag: string): "rtl" | "ltr" {
  return RIGHT_TO_LEFT.test(tag) && !/-latn\b/i.test(tag) ? "rtl" : "ltr";
}
