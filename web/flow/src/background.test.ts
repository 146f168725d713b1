import { describe, expect, it } from "vitest";
import { backgroundVariables, coverVariables, readBackground } from "./background";
import { contrast, MIN_CONTRAST, mix, type Rgb } from "./color";
import { themeVariables } from "./theme";

const THEMES = [
  {},
  { colors: { background: "#0b3d2e", text: "#ffffff", primary: "#ffd166" } },
  { colors: { background: "#fff7ed", text: "#7c2d12", primary: "#ea580c", textSecondary: "#fdba74" } },
];
const TEXTS = ["--text", "--text-secondary", "--primary-text", "--danger"];
const rgb = (value = "") => (value.match(/[\d.]+/g) ?? []).map(Number);

describe("a background", () => {
  it("is read in its three forms", () => {
    expect(readBackground("#fff")).toMatchObject({ color: "#ffffff", image: "", picture: null });
    expect(readBackground({ gradient: ["#000", "#fff"], angle: 90 })).toMatchObject({
      color: "#808080",
      image: "linear-gradient(90deg,rgb(0 0 0),rgb(255 255 255))",
    });
    const picture = { url: "https://a.example/a.webp", overlay: 0.3, position: "left top" };
    expect(readBackground(picture)).toMatchObject({ overlay: 0.3, picture: { position: "left top" } });
    expect(readBackground("sky.png")).toBeNull();
    expect(readBackground({ gradient: [] })).toBeNull();
  });

  it.each([
    { url: "https://a.example/a.webp" },
    { url: "https://a.example/a.webp", overlay: 0.8 },
    { url: "https://a.example/a.webp", tones: ["#203020", "#d0e0f0"] },
    { gradient: ["#000000", "#ffffff"] },
    { gradient: ["#fde68a", "#f472b6", "#312e81"] },
  ])("has texts that are legible everywhere: %j", (value) => {
    for (const theme of THEMES) {
      const background = readBackground(value);
      const plain = themeVariables(theme, background?.color ?? "", false);
      const variables = { ...plain, ...backgroundVariables(background as NonNullable<typeof background>, plain) };
      const [red, green, blue, share = 0] = rgb(variables["--scrim"]);
      for (const below of background?.behind ?? []) {
        const shown = mix(below, [red, green, blue] as Rgb, share);
        for (const name of TEXTS) {
          expect(contrast(rgb(variables[name]) as Rgb, shown)).toBeGreaterThanOrEqual(MIN_CONTRAST);
        }
      }
    }
  });

  it("has a scrim only as far as the tones of its image need one", () => {
    const share = (tones?: string[], overlay?: number) => {
      const background = readBackground({ url: "a.webp", tones, overlay });
      return rgb(backgroundVariables(background as never, themeVariables({}, "", false))["--scrim"])[3];
    };
    expect([share(["#f0e0d0", "#ffffff"]), share(["#f0e0d0", "#ffffff"], 0.2)]).toEqual([0, 0.2]);
    expect(share(["#101010", "#ffffff"])).toBeGreaterThan(share(["#606060", "#ffffff"]) ?? 1);
    expect(share()).toBeGreaterThan(share(["#101010", "#ffffff"]) ?? 1);
  });

  it("has a scrim under the texts of a cover, on which white and the theme's colours are legible", () => {
    for (const theme of THEMES) {
      const variables = coverVariables((color) => themeVariables(theme, color, false));
      // 60 % black on white (layouts.css).
      const scrim = mix([255, 255, 255], [0, 0, 0], 0.6);
      for (const name of TEXTS) {
        expect(contrast(rgb(variables[name]) as Rgb, scrim)).toBeGreaterThanOrEqual(MIN_CONTRAST);
      }
    }
  });
});
