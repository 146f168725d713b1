/** The language of a locale, for which the pages have words. */

/** Tags whose shorter forms lead to another script, and codes that mean the same language. */
const OTHERS: Record<string, string> = {
  in: "id",
  iw: "he",
  no: "nb",
  zh: "zh-hans",
  "zh-hk": "zh-hant",
  "zh-mo": "zh-hant",
  "zh-tw": "zh-hant",
};

/** Return the first of the known languages, in lower case, that a tag or its shorter forms lead to; empty without one. */
export function languageOf(tag: string, known: readonly string[]): string {
  const parts = tag.replace(/_/g, "-").toLowerCase().split("-");
  for (let count = parts.length; count > 0; count -= 1) {
    const shorter = parts.slice(0, count).join("-");
    const found = [shorter, OTHERS[shorter] ?? ""].find((name) => known.includes(name));
    if (found) {
      return found;
    }
  }
  return "";
}
