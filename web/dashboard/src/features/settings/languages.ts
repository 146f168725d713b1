/** Languages that people choose by their names; a tag of another one can be typed. */
const TAGS = [
  ..."af am ar az be bg bn bs ca cs cy da de de-AT de-CH el en en-AU en-GB en-US es es-419 es-ES es-MX et eu fa fi".split(
    " ",
  ),
  ..."fil fr fr-BE fr-CA fr-CH ga gl gu he hi hr hu hy id is it ja ka kk km kn ko ky lo lt lv mk ml mn mr ms my nb".split(
    " ",
  ),
  ..."ne nl nl-BE pa pl pt-BR pt-PT ro ru si sk sl sq sr sr-Latn sv sw ta te th tr uk ur uz vi zh-Hans zh-Hant zu".split(
    " ",
  ),
];

/** The languages whose names of languages the search knows, beside English and the language itself. */
const NAMED_IN = ["ar", "de", "es", "fr", "hi", "it", "ja", "ko", "nl", "pl", "pt", "ru", "tr", "zh"];

/** Formatters of names by their language. Each takes a millisecond to make. */
const formatters = new Map<string, Intl.DisplayNames>();

/** Return the English name of a language, or its tag. */
export function languageName(tag: string): string {
  return nameIn("en", tag);
}

/** Return the choices of languages: the known ones, the present ones, and what is typed if it is a tag. */
export function languageOptions(present: readonly string[], typed: string) {
  return optionsOf([...TAGS, ...present, ...(canonical(typed) ?? [])]).sort((one, other) =>
    one.label.localeCompare(other.label, "en"),
  );
}

/** Return languages as choices: the English name, the own one, and the tag. */
export function optionsOf(tags: readonly string[]): { value: string; label: string }[] {
  return [...new Set(tags)].map((tag) => ({
    value: tag,
    label: [...new Set([languageName(tag), nameIn(tag, tag), tag])].join(", "),
  }));
}

/** Return whether words are in one of the names of a language, in any of the languages of the search. */
export function isNamed(tag: string, words: string): boolean {
  const wanted = words.trim().toLowerCase();
  const names = [tag, ...["en", tag, ...NAMED_IN].map((locale) => nameIn(locale, tag))];
  return names.some((name) => name.toLowerCase().includes(wanted)) || canonical(words)?.[0] === tag;
}

function nameIn(locale: string, tag: string): string {
  try {
    const found = formatters.get(locale) ?? new Intl.DisplayNames(locale, { type: "language" });
    formatters.set(locale, found);
    return found.of(tag) ?? tag;
  } catch {
    // The browser does not know such a tag.
    return tag;
  }
}

/** Return a tag in canonical case if it is one of a known language. */
function canonical(typed: string): [string] | null {
  try {
    const [tag = ""] = Intl.getCanonicalLocales(typed.trim().replaceAll("_", "-"));
    const [language = ""] = tag.split("-");
    return languageName(language) === language ? null : [tag];
  } catch {
    // What is typed is no tag.
    return null;
  }
}
