import { expect, it } from "vitest";
import { weakContrasts } from "./contrast";
import { EMPTY_DOCUMENT } from "./document";

const PALE = { media_id: "media_1" };
const FILES = new Map([["media_1", { tones: ["#6b7280", "#f9fafb"], dark_media_id: null }]]);

it.each<[string, object, RegExp[]]>([
  ["nothing of a theme without colours", {}, []],
  ["a text on its background", { colors: { text: "#999999" } }, [/^Text on background: contrast 2\.8/]],
  ["a text of the dark palette", { colors: { dark: { text: "#333333" } } }, [/^On dark devices: Text on background/]],
  [
    "a gradient, by the colour that is the hardest",
    { colors: { text: "#777777" }, background: { gradient: ["#000000", "#ffffff"] } },
    [/^Text on background/, /^Text on the gradient/],
  ],
  ["nothing of a gradient whose text pages choose", { background: { gradient: ["#000000", "#ffffff"] } }, []],
  ["an image, by its tones", { colors: { text: "#3f0d1c" }, background: PALE }, [/^Text on the gradient or the image/]],
  ["nothing of an unknown image", { background: { media_id: "media_2" } }, []],
])("warns of %s", (_, members, expected) => {
  const warnings = weakContrasts({ ...EMPTY_DOCUMENT, ...members }, FILES);
  expect(warnings).toHaveLength(expected.length);
  for (const [index, pattern] of expected.entries()) {
    expect(warnings[index]).toMatch(pattern);
  }
});
