import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { ILLUSTRATIONS } from "../src/web/illustrations";
import { WORDS_BY_LANGUAGE } from "../src/web/words";

it("has each illustration of the hosted pages", () => {
  const files = readdirSync(new URL("../../../web/flow/illustrations", import.meta.url));
  expect(Object.keys(ILLUSTRATIONS).sort()).toEqual(files.map((file) => file.replace(".svg", "")).sort());
});

it("has the words of all languages of the pages", () => {
  const languages = readdirSync("../../web/pages/src/words").map((file) => file.replace(".json", "").toLowerCase());
  expect(Object.keys(WORDS_BY_LANGUAGE)).toEqual(languages.filter((name) => name !== "en").sort());
});
