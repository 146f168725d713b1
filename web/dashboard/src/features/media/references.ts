import type { MediaView } from "@/api/schema";

/** The members of a content that take a file of the library (docs/media.md). */
const MEMBERS: ReadonlySet<string> = new Set(["image", "image_url", "background", "poster", "logo"]);

/** The lists whose entries name a file by its id alone. */
const OPTIONS: ReadonlySet<string> = new Set(["options", "choices"]);

/** The members of a theme's typography that are the id of a font. */
const FONTS: ReadonlySet<string> = new Set(["fontMediaId", "headingFontMediaId"]);
const NONE: ReadonlySet<string> = new Set();

/** A reference to a file of the library; `alt` has precedence over that of the file. */
export interface MediaReference {
  media_id: string;
  alt?: string;
}

/** Return a member of a content as a reference, null for another value. */
export function referenceOf(value: unknown): MediaReference | null {
  const isReference = typeof value === "object" && value !== null && "media_id" in value;
  return isReference && typeof value.media_id === "string" ? (value as MediaReference) : null;
}

/** Return the ids of the files that a JSON value names, each once. */
export function mediaIdsIn(value: unknown): string[] {
  const ids = new Set<string>();
  replaced(value, (_, { media_id }) => ids.add(media_id), FONTS);
  return [...ids];
}

/** Return a JSON value as devices get it: files in place of references, null for one that is not known. */
export function withFiles<Value>(value: Value, files: ReadonlyMap<string, MediaView>): Value {
  return replaced(value, (member, { media_id, alt, ...others }) => {
    const file = files.get(media_id);
    const tones = member === "background" && file ? tonesOf(file, files) : [];
    return file ? { ...others, ...shown(file, alt ?? file.alt, files), ...(tones.length > 0 && { tones }) } : null;
  }) as Value;
}

/** Return the typography of a theme with its fonts; one that is not known is left out. */
export function withFonts(typography: Record<string, unknown>, files: ReadonlyMap<string, MediaView>): object {
  return Object.fromEntries(
    Object.entries(typography).flatMap(([name, value]) => {
      if (!FONTS.has(name)) {
        return [[name, value]];
      }
      const file = files.get(String(value));
      return file ? [[name, { url: file.url, kind: file.kind, ...fontOf(file) }]] : [];
    }),
  );
}

function fontOf({ family, weight, style, metrics }: MediaView): object {
  return { family, weight, style, ...(metrics && { metrics }) };
}

/** Return the colours behind the texts on a background, with those of its dark partner; empty if they are unknown. */
function tonesOf(file: MediaView, files: ReadonlyMap<string, MediaView>): string[] {
  const all = [file, files.get(file.dark_media_id ?? "") ?? file].map(({ tones }) => tones ?? []);
  return all.every((tones) => tones.length > 0) ? [...new Set(all.flat())] : [];
}

/** Return a file in the form of the publisher (publisher/media.py). */
function shown(file: MediaView, alt: string, files: ReadonlyMap<string, MediaView>): object {
  const main = file.renditions.find(({ url }) => url === file.url);
  const dark = files.get(file.dark_media_id ?? "");
  const moves = file.kind !== "image";
  return {
    url: file.url,
    srcset: moves ? [] : file.renditions.filter(isOfOtherWidth).map(({ url, width }) => ({ url, width })),
    width: main?.width ?? file.width,
    height: main?.height ?? file.height,
    alt,
    placeholder: file.placeholder_color,
    ...(moves && { kind: file.kind, poster: stillOf(file, files) }),
    ...(file.focal_point && { focal_point: file.focal_point }),
    ...(dark && { dark: shown({ ...dark, dark_media_id: null }, dark.alt || alt, files) }),
  };

  function isOfOtherWidth({ url, content_type }: MediaView["renditions"][number]): boolean {
    return url !== file.url && content_type === "image/webp";
  }
}

/** Return the file that has an address. */
export function fileAt(address: string, files: ReadonlyMap<string, MediaView>): MediaView | undefined {
  return [...files.values()].find(({ renditions }) => renditions.some(({ url }) => url === address));
}

/** Return the address of a still picture of a file, null where there is none. */
export function stillOf(file: MediaView, files: ReadonlyMap<string, MediaView> = new Map()): string | null {
  const still = file.renditions.find(({ url }) => file.kind === "image" || url !== file.url);
  return still?.url ?? files.get(file.poster_media_id ?? "")?.url ?? null;
}

function replaced(
  value: unknown,
  replace: (member: string, reference: MediaReference) => unknown,
  fonts: ReadonlySet<string> = NONE,
): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => replaced(item, replace, fonts));
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const isFont = fonts.has(name) && typeof member === "string";
      const reference = isFont ? { media_id: member } : MEMBERS.has(name) ? referenceOf(member) : null;
      const inner = reference ? replace(name, reference) : replaced(member, replace, fonts);
      return [
        name,
        OPTIONS.has(name) && Array.isArray(inner) ? inner.map((entry) => withImage(entry, replace)) : inner,
      ];
    }),
  );
}

/** Return an option with its file as its image. */
function withImage(option: unknown, replace: (member: string, reference: MediaReference) => unknown): unknown {
  const reference = referenceOf(option);
  if (!reference) {
    return option;
  }
  const { media_id, ...others } = reference;
  return { ...others, image: replace("image", { media_id }) };
}
