/**
 * The words of the pages themselves. English is in the script of all pages; those of another language come by a script of
 * its own, which the page links in front of it (publisher/words.py).
 */

import type { Problem } from "@onboarding/flow/answers";
import english from "./words/en.json";

/** A text with {0} and {1} for numbers; or one for each plural category of the language. */
export type Form = string | Partial<Record<Intl.LDMLPluralRule, string>>;
type Counting = "chooseAtLeast" | "chooseAtMost" | "outOfRange" | "selected" | "stars" | "step";
export type Words = Omit<typeof english, Counting> & Record<Counting, Form>;

export const WORDS: Words = { ...english };

/** Use the words of a language. Those that it lacks are English. */
export function useWords(words: Partial<Words> = {}): void {
  Object.assign(WORDS, english, words);
}

/** Return the words that scripts have brought, by their languages. */
export function loadedWords(): Record<string, Words> {
  return (globalThis as { doorstepWords?: Record<string, Words> }).doorstepWords ?? {};
}

/** Return a text with numbers, the first of which decides the plural form. */
export function counted(form: Form, ...numbers: number[]): string {
  const { language } = WORDS;
  const chosen =
    typeof form === "string" ? form : form[new Intl.PluralRules(language).select(numbers[0] ?? 0)] || form.other;
  return (chosen ?? "").replace(/\{(\d)\}/g, (_, place) =>
    // No groups, because a number may be a year.
    (numbers[place] ?? 0).toLocaleString(language, { useGrouping: false }),
  );
}

/** Return the text of a problem with an answer. */
export function problemText({ code, min = 0, max = 0 }: Problem): string {
  switch (code) {
    case "choose":
      return WORDS.choose;
    case "consent":
      return WORDS.tick;
    case "too_few":
      return counted(WORDS.chooseAtLeast, min);
    case "range":
      return counted(WORDS.outOfRange, min, max);
    case "time":
      return WORDS.time;
    case "email":
      return WORDS.email;
    default:
      return WORDS.fill;
  }
}
