import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { ILLUSTRATIONS } from "../src/web/illustrations";

it("has each illustration of the hosted pages", () => {
  const files = readdirSync(new URL("../../../web/flow/illustrations", import.meta.url));
  expect(Object.keys(ILLUSTRATIONS).sort()).toEqual(files.map((file) => file.replace(".svg", "")).sort());
});
