import { expect, test } from "vitest";
import type { ThemeView } from "@/api/schema";
import { contrast, standardColor } from "./contrast";
import { bodyOf, valuesOf } from "./style";

const THEME = {
  name: "Sunrise",
  description: null,
  is_default: true,
  colors: { primary: "#ffcc00", brandSecret: "#123456" },
  typography: { fontFamily: "Lora", sizes: { heading: "28px", caption: 12 } },
  borderRadius: { button: "16px", badge: 2 },
} as unknown as ThemeView;

test("contrast is WCAG's, and null for no colour", () => {
  expect(contrast("#000", "#ffffff")).toBeCloseTo(21);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
  expect(contrast("red", "#ffffff")).toBeNull();
});

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

test("quiet text of a theme without that colour is the one that hosted pages mix", () => {
  const colors = { primary: "", background: "", text: "", textSecondary: "", surface: "" };
  expect(standardColor("textSecondary", colors)).toBe("#60646e");
  expect(standardColor("textSecondary", { ...colors, text: "#000000", background: "#ffffff" })).toBe("#545454");
  expect(standardColor("primary", colors)).toBe("#3355ff");
});
