import type { MediaView } from "@/api/schema";
import { mediaIdsIn } from "./references";

/** The pixels of a phone's width: 390 points of three pixels. */
const PHONE_PIXELS = 1170;
/** The player that a page with a Lottie animation loads. */
const LOTTIE_PLAYER_BYTES = 60 * 1024;
/** A file beyond it is heavy for its kind: a phone on 3G waits a second or more for it. */
const HEAVY_BYTES: Record<MediaView["kind"], number> = {
  image: 200 * 1024,
  animation: 500 * 1024,
  lottie: 200 * 1024,
  video: 3 * 1024 * 1024,
  font: 100 * 1024,
};

/** A file with the bytes that a phone loads of it. */
export interface Weight {
  file: MediaView;
  bytes: number;
  isHeavy: boolean;
}

/** Return the weights of the files that a screen names, the heaviest first. */
export function weightsOf(screen: unknown, files: ReadonlyMap<string, MediaView>): Weight[] {
  return mediaIdsIn(screen)
    .flatMap((id) => files.get(id) ?? [])
    .map((file) => ({ file, bytes: bytesOf(file, files) }))
    .map((weight) => ({ ...weight, isHeavy: weight.bytes > HEAVY_BYTES[weight.file.kind] }))
    .toSorted((first, second) => second.bytes - first.bytes);
}

/** Return the bytes of the files of several screens, each file once. */
export function totalOf(weights: readonly Weight[]): number {
  return [...new Map(weights.map(({ file, bytes }) => [file.id, bytes])).values()].reduce((sum, one) => sum + one, 0);
}

/** Return the bytes that a phone loads of a file: a picture in the smallest size that is as wide as the phone. */
function bytesOf(file: MediaView, files: ReadonlyMap<string, MediaView>): number {
  if (file.kind !== "image") {
    const poster = files.get(file.poster_media_id ?? "");
    const player = file.kind === "lottie" ? LOTTIE_PLAYER_BYTES : 0;
    return file.bytes + player + (poster ? bytesOf(poster, files) : 0);
  }
  const sizes = file.renditions
    .filter(({ content_type }) => content_type === "image/webp")
    .toSorted((first, second) => (first.width ?? 0) - (second.width ?? 0));
  return (sizes.find(({ width }) => (width ?? 0) >= PHONE_PIXELS) ?? sizes.at(-1))?.bytes ?? file.bytes;
}
