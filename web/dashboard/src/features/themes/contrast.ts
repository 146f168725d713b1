import { contrast, MIN_CONTRAST, parseColor } from "@onboarding/flow/color";
import { LIGHT, standardColor } from "@onboarding/flow/theme";
import type { ThemeDocument } from "./document";
import type { ColorName } from "./fields";
import { themeTexts as words } from "./texts";

export type Palette = Partial<Record<ColorName, string>>;

/** The contrast of a colour with the background of its palette. */
export interface ColorContrast {
  label: string;
  ratio: string;
  isWeak: boolean;
}

/** Return the colours that pages take on a light device, or on a dark one. */
export function paletteOf(document: ThemeDocument, isDark: boolean): Palette {
  const { dark, ...light } = document.colors;
  return (isDark ? { ...light, ...(dark as object) } : light) as Palette;
}

/** Return the contrast of each colour of texts and buttons with the background. */
export function contrastsOf(colors: Palette): ColorContrast[] {
  const background = parseColor(colors.background || LIGHT.background);
  return (["text", "textSecondary", "primary"] as const).flatMap((name) => {
    const color = parseColor(colors[name] || standardColor(name, colors));
    const found = color && background ? contrast(color, background) : null;
    return found === null ? [] : [{ label: words.color[name], ratio: found.toFixed(1), isWeak: found < MIN_CONTRAST }];
  });
}

/** Return what the service warns of before a publication, in words: texts that are hard to read. */
export function weakContrasts(document: ThemeDocument): string[] {
  const colors = paletteOf(document, false);
  const pairs = [
    ["text", "background", "text" in colors || "background" in colors],
    ["textSecondary", "background", "textSecondary" in colors],
    ["text", "surface", "surface" in colors],
  ] as const;
  return pairs.flatMap(([name, behind, isGiven]) => {
    const color = parseColor(colors[name] || standardColor(name, colors));
    const ground = parseColor(colors[behind] || LIGHT[behind]);
    const found = isGiven && color && ground ? contrast(color, ground) : null;
    return found === null || found >= MIN_CONTRAST
      ? []
      : [words.weakContrast(words.color[name], words.color[behind], found.toFixed(1))];
  });
}
