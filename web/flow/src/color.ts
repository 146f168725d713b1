/** Colours, and their contrast by WCAG. */

export type Rgb = [number, number, number];

/** The least contrast of a text (WCAG 2.2, success criterion 1.4.3, level AA). */
export const MIN_CONTRAST = 4.5;

/** Return a colour from #rgb, #rrggbb or #rrggbbaa without its transparency; null for other texts. */
export function parseColor(color: string): Rgb | null {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i.exec(color)?.[1];
  if (!digits) {
    return null;
  }
  const long = digits.length === 3 ? [...digits].map((digit) => digit + digit).join("") : digits;
  return [0, 2, 4].map((start) => Number.parseInt(long.slice(start, start + 2), 16)) as Rgb;
}

/** Return a colour for a style sheet. */
export function css(color: Rgb): string {
  return `rgb(${color.map(Math.round).join(" ")})`;
}

/** Return a colour as #rrggbb. */
export function hex(color: Rgb): string {
  return `#${color.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
}

/** Return a colour between two others. */
export function mix(first: Rgb, second: Rgb, share: number): Rgb {
  return first.map((value, index) => value + ((second[index] ?? 0) - value) * share) as Rgb;
}

/** Return the relative luminance of WCAG, from 0 to 1. */
export function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((value) => {
    const part = Math.round(value) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Return the contrast of WCAG, from 1 to 21. */
export function contrast(first: Rgb, second: Rgb): number {
  const [darker, lighter] = [luminance(first), luminance(second)].sort((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** Return a colour, moved towards black or white until its contrast with a background suffices. */
export function legible(color: Rgb, background: Rgb, minContrast = MIN_CONTRAST): Rgb {
  const end: Rgb =
    contrast([255, 255, 255], background) > contrast([0, 0, 0], background) ? [255, 255, 255] : [0, 0, 0];
  for (let share = 0; share < 1; share += 0.05) {
    const candidate = mix(color, end, share);
    if (contrast(candidate, background) >= minContrast + 0.05) {
      return candidate;
    }
  }
  return end;
}
