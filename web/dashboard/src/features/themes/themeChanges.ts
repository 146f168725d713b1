import type { ThemeView } from "@/api/schema";
import { updateTheme } from "@/api/themes";
import { changedSince } from "@/ui/feedback/feedback";
import { bodyOf, COLORS, RADII, type ThemeValues, valuesOf } from "./style";
import { themeTexts } from "./texts";

const words = themeTexts;

/** Return what changes the look of pages in words; nothing for another name. */
export function lookChanges(theme: ThemeView, values: ThemeValues): string[] {
  const before = rowsOf(valuesOf(theme));
  return rowsOf(values).flatMap(([label, after], place) => {
    const former = before[place]?.[1];
    return former === after ? [] : [words.changed(label, former || words.none, after || words.none)];
  });
}

function rowsOf(values: ThemeValues): (readonly [string, string])[] {
  return [
    [words.makeDefault, values.is_default ? words.yes : words.no],
    ...COLORS.map((name) => [words.color[name], values.colors[name].trim()] as const),
    [words.fontFamily, values.fontFamily.trim()],
    [words.headingSize, String(values.headingSize)],
    [words.bodySize, String(values.bodySize)],
    ...RADII.map((name) => [`${words.corners}: ${words.radius[name]}`, String(values.radius[name])] as const),
  ];
}

/**
 * Return the function that takes the change of a theme back, unless the theme or the default has changed since. The
 * theme stays the default until the former one is again, so that flows without a theme never lose their look.
 */
export function undoOf(
  theme: ThemeView,
  saved: { data: ThemeView; etag: string | null },
  formerDefault: string | null,
  readDefault: () => Promise<string | null>,
): () => Promise<unknown> {
  const former = bodyOf(theme, valuesOf(theme));
  const isNewDefault = saved.data.is_default && !theme.is_default;
  let { etag } = saved;
  return async () => {
    if (saved.data.is_default !== theme.is_default && (await readDefault()) !== (isNewDefault ? theme.id : null)) {
      throw changedSince();
    }
    const keepsDefault = isNewDefault && formerDefault !== null;
    // Once more after a failure of the network, the theme has the tag of this change.
    ({ etag } = await updateTheme(theme.id, { ...former, is_default: keepsDefault || theme.is_default }, etag));
    if (keepsDefault) {
      await updateTheme(formerDefault, { is_default: true }, null);
    }
  };
}
