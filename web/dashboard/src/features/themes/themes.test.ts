import { expect, test } from "vitest";
import type { ThemeView } from "@/api/schema";
import { bodyOf, valuesOf } from "./style";

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
