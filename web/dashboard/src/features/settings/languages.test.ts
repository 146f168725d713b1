import { expect, test } from "vitest";
import { isNamed, languageOptions } from "./languages";

test.each([
  ["de", "german"],
  ["de", "Deutsch"],
  ["de", "allemand"],
  ["ja", "日本"],
  ["pt-BR", "brasil"],
  ["zh-Hant", "zh-hant"],
])("%s is found by %s", (tag, words) => expect(isNamed(tag, words)).toBe(true));

test("another language is not found", () => expect(isNamed("de", "French")).toBe(false));

test("a typed tag of a known language becomes a choice in canonical case", () => {
  const values = (typed: string) => languageOptions(["x-own"], typed).map(({ value }) => value);
  expect(values("GSW_ch")).toContain("gsw-CH");
  expect(values("qx")).not.toContain("qx");
  expect(values("not a tag")).toContain("x-own");
});
