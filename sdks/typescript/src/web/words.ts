/** The words of the player by language. English is in the player; another one is loaded with a flow in it. */

import { languageOf } from "@onboarding/pages/language";
import type { Words } from "@onboarding/pages/words";

export const WORDS_BY_LANGUAGE: Record<string, () => Promise<{ default: Words }>> = {
  ar: () => import("@onboarding/pages/words/ar.json"),
  cs: () => import("@onboarding/pages/words/cs.json"),
  da: () => import("@onboarding/pages/words/da.json"),
  de: () => import("@onboarding/pages/words/de.json"),
  el: () => import("@onboarding/pages/words/el.json"),
  es: () => import("@onboarding/pages/words/es.json"),
  fi: () => import("@onboarding/pages/words/fi.json"),
  fr: () => import("@onboarding/pages/words/fr.json"),
  he: () => import("@onboarding/pages/words/he.json"),
  hi: () => import("@onboarding/pages/words/hi.json"),
  hu: () => import("@onboarding/pages/words/hu.json"),
  id: () => import("@onboarding/pages/words/id.json"),
  it: () => import("@onboarding/pages/words/it.json"),
  ja: () => import("@onboarding/pages/words/ja.json"),
  ko: () => import("@onboarding/pages/words/ko.json"),
  nb: () => import("@onboarding/pages/words/nb.json"),
  nl: () => import("@onboarding/pages/words/nl.json"),
  pl: () => import("@onboarding/pages/words/pl.json"),
  pt: () => import("@onboarding/pages/words/pt.json"),
  ro: () => import("@onboarding/pages/words/ro.json"),
  ru: () => import("@onboarding/pages/words/ru.json"),
  sv: () => import("@onboarding/pages/words/sv.json"),
  th: () => import("@onboarding/pages/words/th.json"),
  tr: () => import("@onboarding/pages/words/tr.json"),
  uk: () => import("@onboarding/pages/words/uk.json"),
  vi: () => import("@onboarding/pages/words/vi.json"),
  "zh-hans": () => import("@onboarding/pages/words/zh-Hans.json"),
  "zh-hant": () => import("@onboarding/pages/words/zh-Hant.json"),
};

/** Return the words for a locale; undefined for English, for a language without words, and where they do not arrive. */
export async function wordsOf(locale: string): Promise<Words | undefined> {
  try {
    return (await WORDS_BY_LANGUAGE[languageOf(locale, Object.keys(WORDS_BY_LANGUAGE))]?.())?.default;
  } catch {
    return undefined;
  }
}
