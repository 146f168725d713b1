import { contrast, MIN_CONTRAST, mix, parseColor } from "@onboarding/flow/color";
import { list, number, object, text } from "@onboarding/flow/json";
import { DARK, LIGHT, standardColor } from "@onboarding/flow/theme";
import type { MediaView } from "@/api/schema";
import type { ThemeDocument } from "./document";
import type { ColorName } from "./fields";
import { themeTexts as words } from "./texts";

export type Palette = Partial<Record<ColorName, string>>;

type FileOf = Pick<ReadonlyMap<string, Pick<MediaView, "tones" | "dark_media_id">>, "get">;

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

/**
 * Return what the service warns of before a publication, in words: texts that are hard to read on the colours of a
 * palette, or on a gradient or an image. `fileOf` has the file of an image.
 */
export function weakContrasts(document: ThemeDocument, fileOf?: FileOf): string[] {
  const dark = object(document.colors.dark) as Palette;
  const behind = backgroundContrast(document, fileOf);
  return [
    ...weakPairs(paletteOf(document, false), LIGHT),
    ...weakPairs(dark, DARK).map(words.onDark),
    ...(behind === null || behind >= MIN_CONTRAST ? [] : [words.weakBackground(behind.toFixed(1))]),
  ];
}

function weakPairs(colors: Palette, standard: typeof LIGHT): string[] {
  const pairs = [
    ["text", "background", "text" in colors || "background" in colors],
    ["textSecondary", "background", "textSecondary" in colors],
    ["text", "surface", "surface" in colors],
  ] as const;
  return pairs.flatMap(([name, behind, isGiven]) => {
    const found = isGiven ? ratioOf({ ...standard, ...colors }, name, behind) : null;
    return found === null || found >= MIN_CONTRAST
      ? []
      : [words.weakContrast(words.color[name], words.color[behind], found.toFixed(1))];
  });
}

function ratioOf(colors: Palette, name: ColorName, behind: ColorName): number | null {
  const color = parseColor(colors[name] ?? "");
  const ground = parseColor(colors[behind] ?? "");
  return color && ground ? contrast(color, ground) : null;
}

/** Return the ids of the file behind the texts of a theme. */
export function backgroundFiles({ background }: ThemeDocument): string[] {
  const id = text(object(background).media_id);
  return id ? [id] : [];
}

/**
 * Return the lowest contrast of texts on the gradient or the image of a theme; null where nothing is known. Pages choose
 * a text by the gradient where the theme has none. The service has the same rule (contrast.py).
 */
export function backgroundContrast(document: ThemeDocument, fileOf?: FileOf): number | null {
  const { background, appearance, colors } = document;
  const source = object(background);
  const [id] = backgroundFiles(document);
  const dark = object(colors.dark) as Palette;
  const file = id === undefined ? undefined : fileOf?.get(id);
  const gradient = "text" in colors ? list(source.gradient) : [];
  const partner = file?.dark_media_id ? fileOf?.get(file.dark_media_id) : file;
  const standard = appearance === "dark" ? DARK : LIGHT;
  const overlay = number(source.overlay) ?? 0;
  const isShown = Object.keys(dark).length > 0 && (id !== undefined || !("background" in dark));
  const found = [
    ...ratiosOn({ ...standard, ...paletteOf(document, false) }, id ? file?.tones : gradient, overlay),
    ...(isShown ? ratiosOn({ ...DARK, ...dark }, id ? partner?.tones : gradient, overlay) : []),
  ];
  return found.length > 0 ? Math.min(...found) : null;
}

/** Return the contrasts of a palette's text with colours behind it, below an overlay of the page's colour. */
function ratiosOn(colors: Palette, behind: readonly unknown[] | null | undefined, overlay: number): number[] {
  const [color, page] = [parseColor(colors.text ?? ""), parseColor(colors.background ?? "")];
  return (behind ?? []).flatMap((value) => {
    const below = parseColor(text(value));
    return color && page && below ? [contrast(color, mix(below, page, overlay))] : [];
  });
}
