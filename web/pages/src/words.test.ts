import { afterEach, expect, it } from "vitest";
import { languageOf } from "./language";
import { counted, problemText, useWords, WORDS } from "./words";
import arabic from "./words/ar.json";
import german from "./words/de.json";
import french from "./words/fr.json";

afterEach(() => useWords());

it("words of a language replace the English ones, and English is back without them", () => {
  useWords(german);
  expect([WORDS.continue, problemText({ code: "too_few", min: 2 })]).toEqual([
    "Weiter",
    "Bitte mindestens 2 auswählen.",
  ]);
  useWords({ language: "xx", skip: "Hop" });
  expect([WORDS.skip, WORDS.continue]).toEqual(["Hop", "Continue"]);
});

it("numbers have the plural form and the digits of the language, and no groups", () => {
  expect(counted(WORDS.outOfRange, 1926, 2027)).toBe("Enter a number from 1926 to 2027.");
  useWords(french);
  expect([0, 1, 2].map((count) => counted(WORDS.selected, count))).toEqual([
    "0 sélectionné",
    "1 sélectionné",
    "2 sélectionnés",
  ]);
  useWords(arabic);
  expect(counted(WORDS.selected, 0)).toBe("لم يُحدَّد شيء");
});

it.each([
  ["de-AT", "de"],
  ["pt_BR", "pt"],
  ["zh-TW", "zh-hant"],
  ["zh", "zh-hans"],
  ["zh-Hant-HK", "zh-hant"],
  ["no", "nb"],
  ["fa", ""],
  ["", ""],
])("the language of %s is %s", (tag, language) => {
  expect(languageOf(tag, ["de", "nb", "pt", "zh-hans", "zh-hant"])).toBe(language);
});
