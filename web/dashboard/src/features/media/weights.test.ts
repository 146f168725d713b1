import { expect, test } from "vitest";
import type { MediaView } from "@/api/schema";
import { totalOf, weightsOf } from "./weights";

function file(id: string, kind: MediaView["kind"], bytes: number, others: object = {}): MediaView {
  return { id, kind, bytes, poster_media_id: null, renditions: [], ...others } as unknown as MediaView;
}

const webp = (width: number, bytes: number) => ({ content_type: "image/webp", width, bytes });
const FILES = [
  file("photo", "image", 900_000, { renditions: [webp(1440, 300_000), webp(480, 40_000), webp(960, 120_000)] }),
  file("small", "image", 90_000, { renditions: [webp(480, 30_000)] }),
  file("logo", "image", 2_000),
  file("clip", "video", 1_000_000, { poster_media_id: "small" }),
  file("dance", "lottie", 10_000),
];
const BY_ID = new Map(FILES.map((one) => [one.id, one]));

test("weight is that of the size that a phone loads, with posters and players, the heaviest first", () => {
  const content = Object.fromEntries(
    ["photo", "small", "logo", "clip", "dance", "gone"].map((id) => [id, { image: { media_id: id } }]),
  );
  const weights = weightsOf(content, BY_ID).map(({ file, bytes, isHeavy }) => [file.id, bytes, isHeavy]);
  expect(weights).toEqual([
    ["clip", 1_030_000, false],
    ["photo", 300_000, true],
    ["dance", 10_000 + 60 * 1024, false],
    ["small", 30_000, false],
    ["logo", 2_000, false],
  ]);
});

test("file of two screens counts once in the flow", () => {
  const screen = { image: { media_id: "small" } };
  expect(totalOf([...weightsOf(screen, BY_ID), ...weightsOf(screen, BY_ID)])).toBe(30_000);
});
