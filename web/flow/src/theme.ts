/** A theme as CSS variables of the page's wrapper. SDKs inject colours into `body`, so `body` has no variables. */

import { contrast, css, hex, legible, luminance, MIN_CONTRAST, mix, parseColor, type Rgb } from "./color";
import { type Json, number, object, text } from "./json";

/** The colours of a light page whose theme leaves them out. */
export const LIGHT = {
  background: "#ffffff",
  surface: "#ffffff",
  text: "#111827",
  primary: "#3355ff",
};
export const DARK = {
  background: "#0b0b0f",
  surface: "#17171d",
  text: "#f4f4f5",
  primary: "#7c93ff",
};
const DANGER = { light: "#c81e1e", dark: "#ff8a80" };
/** The second colour of illustrations. */
const ACCENT: Rgb = [255, 176, 32];
/** The share of the background in a quiet text that a theme leaves out. */
const QUIET = 0.33;

/** The names of a theme's own fonts on a page. Their files are added by the page (fonts.ts). */
export const FONT_NAMES = { fontMediaId: "theme-font", headingFontMediaId: "theme-heading-font" } as const;
/** Colours of the light palette that a dark palette does not take over. */
const OF_LIGHT = { background: "", surface: "", text: "", textSecondary: "" };

/** Return a theme with the palette for a device, and whether the page is dark by default. */
export function paletteOf(theme: Json, systemIsDark: boolean): { theme: Json; isDark: boolean } {
  const { appearance } = theme;
  const isDark = appearance === "dark" || (appearance !== "light" && systemIsDark);
  const { dark, ...colors } = object(theme.colors);
  const own = object(dark);
  if (!isDark || Object.keys(own).length === 0) {
    return { theme: { ...theme, colors }, isDark };
  }
  // The colours behind a light page would make a dark one light.
  const background = text(own.background) && !object(theme.background).url ? undefined : theme.background;
  return { theme: { ...theme, colors: { ...colors, ...OF_LIGHT, ...own }, background }, isDark };
}

/** Return the variables of a theme; `dark` chooses the defaults of a theme without a background. */
export function themeVariables(theme: Json, background: string, dark: boolean): Record<string, string> {
  const colors = object(theme.colors);
  const ownBackground = parseColor(background) ?? parseColor(text(colors.background));
  const isDark = ownBackground ? luminance(ownBackground) < 0.18 : dark;
  const defaults = isDark ? DARK : LIGHT;
  const page = ownBackground ?? rgb(defaults.background);
  const primary = parseColor(text(colors.primary)) ?? rgb(defaults.primary);
  const textColor = legible(parseColor(text(colors.text)) ?? rgb(defaults.text), page);
  const surface =
    parseColor(text(colors.surface)) ??
    (ownBackground ? mix(page, textColor, isDark ? 0.07 : 0) : rgb(defaults.surface));
  const secondary = parseColor(text(colors.textSecondary)) ?? mix(textColor, page, QUIET);
  const danger = parseColor(text(colors.danger, colors.error)) ?? rgb(isDark ? DANGER.dark : DANGER.light);
  const selected = mix(surface, primary, 0.1);
  const tint = mix(page, primary, 0.12);
  const glass = mix(page, textColor, 0.1);
  return {
    "--background": css(page),
    "--surface": css(surface),
    "--text": css(textColor),
    "--text-on-surface": css(legible(textColor, surface)),
    "--text-on-selected": css(legible(textColor, selected)),
    "--text-secondary": css(legible(secondary, page)),
    "--text-secondary-on-surface": css(legible(legible(secondary, surface), selected)),
    "--primary": css(primary),
    "--on-primary": css(legible(contrast([255, 255, 255], primary) >= MIN_CONTRAST ? [255, 255, 255] : page, primary)),
    "--primary-text": css(legible(primary, page)),
    "--tint": css(tint),
    "--on-tint": css(legible(primary, tint)),
    "--glass": css(glass),
    "--on-glass": css(legible(textColor, glass)),
    "--icon": css(legible(primary, tint, 3)),
    "--selected": css(selected),
    "--line": css(mix(page, textColor, 0.14)),
    "--field-line": css(mix(page, textColor, 0.5)),
    "--danger": css(legible(danger, page)),
    "--accent": css(parseColor(text(colors.secondary)) ?? ACCENT),
    "color-scheme": isDark ? "dark" : "light",
    ...fonts(object(theme.typography)),
    ...radii(object(theme.borderRadius)),
    ...looks(theme),
  };
}

/** Return the words of a theme that style sheets choose by, as data of the page's wrapper. */
export function themeWords(theme: Json): Record<string, string> {
  const { style, shadow } = object(theme.button);
  return {
    align: text(object(theme.typography).align),
    button: text(style),
    shadow: shadow === true ? "true" : "",
    choice: text(theme.choice),
    progress: text(theme.progress),
    transition: text(theme.transition),
    spacing: text(theme.spacing),
  };
}

const SHAPES: Json = { pill: "999px", square: "0px" };

function looks(theme: Json): Record<string, string> {
  const { shape, height } = object(theme.button);
  const { letterSpacing, weights } = object(theme.typography);
  const { heading, body } = object(weights);
  const of = (value: unknown, unit = "") => (number(value) === undefined ? "" : `${number(value)}${unit}`);
  return present({
    "--radius-button": text(SHAPES[text(shape)]),
    "--button-height": of(height, "px"),
    "--tracking": of(letterSpacing, "em"),
    "--heading-weight": of(heading),
    "--body-weight": of(body),
  });
}

/** Return the colour that a light page takes where a theme has none. */
export function standardColor(
  name: keyof typeof LIGHT | "textSecondary" | "secondary" | "danger",
  colors: Json,
): string {
  const given = (member: "background" | "text") => parseColor(text(colors[member])) ?? rgb(LIGHT[member]);
  if (name === "secondary") {
    return hex(ACCENT);
  }
  if (name === "danger") {
    return DANGER.light;
  }
  return name === "textSecondary" ? hex(mix(given("text"), given("background"), QUIET)) : LIGHT[name];
}

/** Return the message that chooses the colour of the status bar: light on dark pages. */
export function themeStyle(variables: Record<string, string>): string {
  return `themeStyle:${variables["color-scheme"] === "dark" ? "light" : "default"}`;
}

function fonts(typography: Json): Record<string, string> {
  const headline = object(typography.headline ?? typography.heading ?? typography.title);
  const body = object(typography.body);
  const sizes = object(typography.sizes ?? typography.fontSize);
  const named = (member: keyof typeof FONT_NAMES, family: string) => {
    const own = text(object(typography[member]).url) && FONT_NAMES[member];
    return own ? fontFamily([own, `${own}-fallback`, family].filter(Boolean).join(", ")) : fontFamily(family);
  };
  const family = named("fontMediaId", text(typography.fontFamily, body.fontFamily));
  const size = (value: number | undefined, min: number, max: number) =>
    value ? `${Math.min(max, Math.max(min, value)) / 16}rem` : "";
  return present({
    "--font": family,
    "--heading-font": named("headingFontMediaId", text(typography.headingFontFamily, headline.fontFamily)) || family,
    "--heading-size": size(number(headline.fontSize, sizes.headline, sizes.heading, sizes.title, sizes.h1), 20, 44),
    "--body-size": size(number(body.fontSize, sizes.body, sizes.text), 15, 22),
  });
}

function fontFamily(name: string): string {
  return name ? `${name.replace(/[^\p{L}\p{N}\s,'"_-]/gu, "")}, system-ui, sans-serif` : "";
}

function radii(radius: Json): Record<string, string> {
  const pixels = (...values: unknown[]) => {
    const found = number(...values.map((value) => (typeof value === "string" ? value.replace(/px$/, "") : value)));
    return found === undefined ? "" : `${Math.min(32, Math.max(0, found))}px`;
  };
  return present({
    "--radius-button": pixels(radius.button, radius.medium),
    "--radius-card": pixels(radius.card, radius.medium, radius.large),
    "--radius-field": pixels(radius.input, radius.small, radius.button, radius.medium),
    "--radius-image": pixels(radius.large, radius.card, radius.medium),
  });
}

function present(variables: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value));
}

function rgb(color: string): Rgb {
  return parseColor(color) ?? [0, 0, 0];
}
