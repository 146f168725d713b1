import { DEFAULTS, type ThemeValues } from "./style";

/** WCAG's least contrast of text. */
export const MIN_CONTRAST = 4.5;

const HEX = /^#([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

/** Return red, green and blue of a hex colour, from 0 to 255; null if it is none. Transparency is ignored. */
function partsOf(color: string): number[] | null {
  const digits = HEX.exec(color)?.[1];
  if (digits === undefined) {
    return null;
  }
  const long = digits.length === 3 ? [...digits].map((digit) => digit + digit).join("") : digits;
  return [0, 2, 4].map((start) => Number.parseInt(long.slice(start, start + 2), 16));
}

/** Return the relative luminance of a hex colour, from 0 to 1; null if it is none. */
function luminance(color: string): number | null {
  const parts = partsOf(color)?.map((value) => {
    const part = value / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const [red = 0, green = 0, blue = 0] = parts ?? [];
  return parts ? 0.2126 * red + 0.7152 * green + 0.0722 * blue : null;
}

/** The share of the background in the quiet text of hosted pages. */
const QUIET_SHARE = 0.33;

/** Return the colour that hosted pages take where a theme has none. */
export function standardColor(name: keyof ThemeValues["colors"], colors: ThemeValues["colors"]): string {
  if (name !== "textSecondary") {
    return DEFAULTS[name];
  }
  const [text, page] = [partsOf(colors.text), partsOf(colors.background)];
  const [ink, paper] = [text ?? partsOf(DEFAULTS.text) ?? [], page ?? partsOf(DEFAULTS.background) ?? []];
  const mixed = ink.map((part, place) => Math.round(part + ((paper[place] ?? part) - part) * QUIET_SHARE));
  return `#${mixed.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** Return the contrast of two hex colours, from 1 to 21; null if one is no colour. */
export function contrast(first: string, second: string): number | null {
  const [one, other] = [luminance(first), luminance(second)];
  if (one === null || other === null) {
    return null;
  }
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}
