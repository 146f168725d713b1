import { expect, test } from "vitest";
import type { ThemeView } from "@/api/schema";
import { STYLE } from "@/features/preview/pageDocument";
import members from "../../../../../common/wire/theme_members.json";
import { changesInWords } from "./changes";
import { documentOf, type ThemeDocument, withValue } from "./document";
import { FIELDS, placeOf, type ThemeField } from "./fields";

const THEME = {
  id: "theme_1",
  project_id: "proj_1",
  name: "Sunrise",
  description: null,
  is_default: true,
  has_draft: false,
  version: 2,
  colors: { primary: "#ffcc00", brandSecret: "#123456" },
  typography: { fontFamily: "Lora", sizes: { heading: "28px", caption: 12 } },
  borderRadius: { button: "16px", badge: 2 },
} as unknown as ThemeView;
const DOCUMENT = documentOf(THEME);

test("previews have every member of a theme that pages have", () => {
  expect(STYLE).toEqual(Object.keys(members));
});

test("document of a theme has neither its place nor its state", () => {
  expect(Object.keys(DOCUMENT)).toEqual(["name", "description", "colors", "typography", "borderRadius"]);
});

test("members that the form does not have stay, emptied ones go", () => {
  const changes = [
    ["colors.primary", ""],
    ["colors.dark.text", "#ffffff"],
    ["typography.fontFamily", ""],
    ["typography.sizes.heading", 32],
    ["borderRadius.button", 8],
    ["button.shape", "pill"],
    ["spacing", "airy"],
  ] as const;
  const apply = (document: ThemeDocument, [path, value]: (typeof changes)[number]) => withValue(document, path, value);
  const changed = changes.reduce(apply, DOCUMENT);
  expect(changed).toEqual({
    name: "Sunrise",
    description: null,
    colors: { brandSecret: "#123456", dark: { text: "#ffffff" } },
    typography: { sizes: { heading: 32, caption: 12 } },
    borderRadius: { button: 8, badge: 2 },
    button: { shape: "pill" },
    spacing: "airy",
  });
  const emptied = ["button.shape", "colors.dark.text", "borderRadius.button", "borderRadius.badge"].reduce(
    (document, path) => withValue(document, path, null),
    changed,
  );
  expect(emptied).not.toHaveProperty("button");
  expect(emptied).toMatchObject({ colors: { brandSecret: "#123456" }, borderRadius: {} });
  expect(changesInWords(DOCUMENT, changed)).toEqual([
    "Buttons and accents: from #ffcc00 to the standard",
    "Text, dark: from the standard to #ffffff",
    "Font: from Lora to the standard",
    "Size of headings: from 28px to 32",
    "Shape: from the standard to Pill",
    "Buttons: from 16px to 8",
    "Spacing: from the standard to Airy",
  ]);
});

test("a value is changed at the place that pages read first", () => {
  const document = { ...DOCUMENT, typography: { headline: { fontSize: 30 }, sizes: { heading: 28 } } };
  const field = FIELDS.find(({ path }) => path === "typography.sizes.heading") as ThemeField;
  expect(placeOf(document, field)).toBe("typography.headline.fontSize");
  expect(placeOf({ ...DOCUMENT, typography: {} }, field)).toBe("typography.sizes.heading");
  const changed = withValue(document, placeOf(document, field), 40);
  expect(changesInWords(document, changed)).toEqual(["Size of headings: from 30 to 40"]);
});

test("the form has each member of a theme that pages read, or leaves it to the interface", () => {
  const left = ["small"];
  const inGroup = (group: string) => {
    const places = FIELDS.map(({ path }) => path.split(".")).filter(([name]) => name === group);
    return [...new Set(places.map(([, name]) => name))];
  };
  const first = (rows: { names: string[] }[]) => rows.flatMap(({ names }) => names[0] ?? []).sort();
  const told = [...inGroup("colors"), ...inGroup("borderRadius"), ...left].sort();
  expect(told).toEqual(first([...members.colors, ...members.borderRadius]));
  const tops = new Set(FIELDS.map(({ path }) => path.split(".")[0]));
  expect(Object.keys(members).filter((name) => !tops.has(name))).toEqual([]);
});
