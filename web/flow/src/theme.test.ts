import { describe, expect, it } from "vitest";
import members from "../../../common/wire/theme_members.json";
import { contrast, luminance, parseColor, type Rgb } from "./color";
import { paletteOf, standardColor, themeStyle, themeVariables, themeWords } from "./theme";

/** Texts with their backgrounds, and the contrast that each needs. */
const PAIRS: [ink: string, background: string, least: number][] = [
  ["--text", "--background", 4.5],
  ["--text-secondary", "--background", 4.5],
  ["--primary-text", "--background", 4.5],
  ["--danger", "--background", 4.5],
  ["--on-primary", "--primary", 4.5],
  ["--text-on-surface", "--surface", 4.5],
  ["--text-secondary-on-surface", "--selected", 4.5],
  ["--icon", "--tint", 3],
];

function color(variables: Record<string, string>, name: string): Rgb {
  return (variables[name] ?? "").match(/\d+/g)?.map(Number) as Rgb;
}

function hex(value: number): string {
  return `#${(value % 0x1000000).toString(16).padStart(6, "0")}`;
}

/** Members that are tested by their values, below. */
const LOOKS = { dark: 0, align: 0, fontMediaId: 0, headingFontMediaId: 0 };
const NAMES = (["colors", "typography", "borderRadius"] as const).flatMap((member) =>
  members[member].flatMap(({ names }) =>
    names.filter((name) => !(name in LOOKS)).map((name) => [member, name] as const),
  ),
);

it.each(NAMES)("%s.%s changes the page", (member, name) => {
  const [first = "", second] = name.split(".");
  const value = member === "colors" ? "#0b5c2e" : /fontfamily/i.test(name) ? "Georgia" : 20;
  const theme = { [member]: { [first]: second ? { [second]: value } : value } };
  expect(themeVariables(theme, "", false)).not.toEqual(themeVariables({}, "", false));
});

describe("contrast", () => {
  it("is that of WCAG", () => {
    expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21);
    expect(contrast([119, 119, 119], [255, 255, 255])).toBeCloseTo(4.48, 2);
    expect(luminance([255, 0, 0])).toBeCloseTo(0.2126);
  });

  it("is enough for every text with any colours of a theme", () => {
    // Steps that are coprime to the number of colours visit all kinds of them.
    for (let round = 0; round < 400; round += 1) {
      const seeds = [7_368_787, 11_184_807, 3_355_443, 15_485_863, 9_999_991].map((step) => hex(round * step + round));
      const [background = "", primary = "", text = "", textSecondary = "", surface = ""] = seeds;
      const colors = { background, primary, text, textSecondary, danger: primary, ...(round % 2 ? { surface } : {}) };
      const variables = themeVariables({ colors }, "", round % 3 === 0);
      for (const [ink, ground, least] of PAIRS) {
        const found = contrast(color(variables, ink), color(variables, ground));
        expect(found, `${ink} on ${ground} with ${JSON.stringify(colors)}`).toBeGreaterThanOrEqual(least);
      }
    }
  });
});

describe("a theme", () => {
  it("keeps colours that can be read", () => {
    const variables = themeVariables(
      { colors: { background: "#ffffff", text: "#222222", primary: "#0044cc" } },
      "",
      true,
    );
    expect([variables["--text"], variables["--primary"]]).toEqual(["rgb(34 34 34)", "rgb(0 68 204)"]);
    expect(themeStyle(variables)).toBe("themeStyle:default");
  });

  it("is dark by its background, or else by the device", () => {
    const style = (theme: object, background: string, dark: boolean) =>
      themeStyle(themeVariables(theme as Record<string, unknown>, background, dark));
    expect(style({}, "", true)).toBe("themeStyle:light");
    expect(style({}, "", false)).toBe("themeStyle:default");
    expect(style({ colors: { background: "#101010" } }, "", false)).toBe("themeStyle:light");
    expect(style({ colors: { background: "#101010" } }, "#fff", true)).toBe("themeStyle:default");
  });

  it("has sizes within bounds, and fonts without other declarations", () => {
    const variables = themeVariables(
      {
        typography: { fontFamily: "Inter; } body { color: red", headline: { fontSize: 900 } },
        borderRadius: { button: "999px", small: -4 },
      },
      "",
      false,
    );
    expect(variables["--font"]).toBe("Inter  body  color red, system-ui, sans-serif");
    expect(variables["--heading-size"]).toBe("2.75rem");
    expect([variables["--radius-button"], variables["--radius-field"]]).toEqual(["32px", "0px"]);
  });

  it("has another palette on dark devices, unless it has one appearance", () => {
    const colors = { background: "#ffffff", text: "#222222", primary: "#0044cc", dark: { background: "#101418" } };
    const style = (theme: object, isSystemDark: boolean) => {
      const palette = paletteOf(theme as Record<string, unknown>, isSystemDark);
      const variables = themeVariables(palette.theme, "", palette.isDark);
      return [variables["color-scheme"], variables["--primary"]];
    };
    expect(style({ colors }, false)).toEqual(["light", "rgb(0 68 204)"]);
    expect(style({ colors }, true)).toEqual(["dark", "rgb(0 68 204)"]);
    expect(style({ colors, appearance: "light" }, true)[0]).toBe("light");
    expect(style({ colors, appearance: "dark" }, false)[0]).toBe("dark");
    expect(style({ appearance: "dark" }, false)[0]).toBe("dark");
    const background = { gradient: ["#ffffff", "#eeeeee"] };
    expect(paletteOf({ colors, background }, true).theme.background).toBeUndefined();
    expect(paletteOf({ colors, background }, false).theme.background).toBe(background);
  });

  it("has the looks that it sets, and no others", () => {
    const file = { url: "https://cdn.example/a.woff2" };
    const theme = {
      typography: { fontMediaId: file, fontFamily: "Lora", letterSpacing: 0.02, weights: { heading: 800 } },
      button: { shape: "pill", height: 60, style: "soft", shadow: true },
      choice: "chip",
    };
    expect(themeVariables(theme, "", false)).toMatchObject({
      "--font": "theme-font, theme-font-fallback, Lora, system-ui, sans-serif",
      "--radius-button": "999px",
      "--button-height": "60px",
      "--tracking": "0.02em",
      "--heading-weight": "800",
    });
    const words = { button: "soft", shadow: "true", choice: "chip", align: "" };
    expect(themeWords(theme)).toMatchObject(words);
    expect(Object.values(themeWords({})).join("")).toBe("");
    expect(Object.keys(themeVariables({}, "", false)).filter((name) => /button|track|weight|font/.test(name))).toEqual(
      [],
    );
  });

  it("has buttons of each style whose labels can be read", () => {
    for (const primary of ["#ffe066", "#0b5c2e", "#888888", "#ffffff"]) {
      const variables = themeVariables({ colors: { background: "#ffffff", primary } }, "", false);
      for (const [ink, ground] of [
        ["--on-tint", "--tint"],
        ["--on-glass", "--glass"],
      ] as const) {
        expect(contrast(color(variables, ink), color(variables, ground))).toBeGreaterThanOrEqual(4.5);
      }
    }
  });

  it("has standard colours, and a quiet text between text and background", () => {
    expect(standardColor("textSecondary", {})).toBe("#60646e");
    expect(standardColor("textSecondary", { text: "#000000", background: "#ffffff" })).toBe("#545454");
    expect(standardColor("primary", {})).toBe("#3355ff");
  });

  it("ignores values that are no colours", () => {
    expect(["red", "#12", "url(x)", "", "#ggg"].map(parseColor)).toEqual([null, null, null, null, null]);
    expect(parseColor("#0F08")).toBeNull();
    expect(parseColor("#abc")).toEqual([170, 187, 204]);
  });
});
