import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { ILLUSTRATIONS } from "../src/web/illustrations";
import { PICTURES, picturesIn } from "../src/web/pictures";
import { WORDS_BY_LANGUAGE } from "../src/web/words";

it("has each illustration and picture of the hosted pages", () => {
  const files = readdirSync(new URL("../../../web/flow/illustrations", import.meta.url));
  expect(Object.keys({ ...ILLUSTRATIONS, ...PICTURES }).sort()).toEqual(
    files.map((file) => file.replace(".svg", "")).sort(),
  );
});

it("loads the pictures of a flow alone", async () => {
  const { night, ...others } = await picturesIn('{"illustration":"night","title":"city"}');
  expect([night?.slice(0, 4), Object.keys(others)]).toEqual(["<svg", ["city"]]);
});

it("has the words of all languages of the pages", () => {
  const languages = readdirSync("../../web/pages/src/words").map((file) => file.replace(".json", "").toLowerCase());
  expect(Object.keys(WORDS_BY_LANGUAGE)).toEqual(languages.filter((name) => name !== "en").sort());
});
