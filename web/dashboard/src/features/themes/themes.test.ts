import { expect, test } from "vitest";
import type { ThemeView } from "@/api/schema";
import members from "../../../../../common/wire/theme_members.json";
import { bodyOf, COLORS, RADII, valuesOf } from "./style";

const THEME = {
  name: "Sunrise",
  description: null,
  is_default: true,
  colors: { primary: "#ffcc00", brandSecret: "#123456" },
  typography: { fontFamily: "Lora", sizes: { heading: "28px", caption: 12 } },
  borderRadius: { button: "16px", badge: 2 },
} as unknown as ThemeView;

test("members that the form does not have stay, emptied ones go", () => {
  const values = valuesOf(THEME);
  expect(values.headingSize).toBe(28);
  values.colors.primary = "";
  values.colors.text = "#111111";
  values.fontFamily = "";
  values.radius.button = 8;
  expect(bodyOf(THEME, values)).toMatchObject({
    colors: { brandSecret: "#123456", text: "#111111" },
    typography: { sizes: { heading: 28, caption: 12 } },
    borderRadius: { button: 8, badge: 2 },
  });
  expect(bodyOf(THEME, values).colors).not.toHaveProperty("primary");
});

test("the form has each colour and corner that pages read, or leaves it to the interface", () => {
  const left = ["danger", "dark", "secondary", "small"];
  const first = (rows: { names: string[] }[]) => rows.flatMap(({ names }) => names[0] ?? []).sort();
  expect([...COLORS, ...RADII, ...left].sort()).toEqual(first([...members.colors, ...members.borderRadius]));
});
