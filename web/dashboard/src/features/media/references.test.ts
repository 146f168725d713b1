import { expect, it } from "vitest";
import type { MediaView } from "@/api/schema";
import { cutOf } from "./Crop";
import { fileAt, mediaIdsIn, withFiles } from "./references";

function file(id: string, members: Partial<MediaView> = {}): MediaView {
  const url = `https://edge.example/media/p/${id}`;
  const rendition = { content_type: "image/webp", width: 480, height: 240, bytes: 9 };
  return {
    id,
    kind: "image",
    url: `${url}.jpg`,
    width: 2000,
    height: 1000,
    alt: "Shop",
    placeholder_color: "#123456",
    dark_media_id: null,
    poster_media_id: null,
    focal_point: null,
    renditions: [
      { ...rendition, url: `${url}.webp` },
      { ...rendition, url: `${url}.jpg`, content_type: "image/jpeg", width: 1440, height: 720 },
    ],
    ...members,
  } as MediaView;
}

it("finds the files that a content names", () => {
  const content = { image: { media_id: "a" }, items: [{ logo: { media_id: "b" } }], note: { media_id: "of the app" } };
  expect(mediaIdsIn([content, content])).toEqual(["a", "b"]);
});

it("shows files as the publisher does", () => {
  const files = new Map(
    [file("a", { dark_media_id: "b", focal_point: { x: 0, y: 1 } }), file("b", { alt: "" })].map((f) => [f.id, f]),
  );
  const shown = withFiles({ image: { media_id: "a", alt: "Ours" }, logo: { media_id: "gone" }, title: "Hi" }, files);
  const common = { width: 1440, height: 720, placeholder: "#123456" };
  const of = (id: string) => ({
    ...common,
    url: `https://edge.example/media/p/${id}.jpg`,
    srcset: [{ url: `https://edge.example/media/p/${id}.webp`, width: 480 }],
  });
  const dark = { ...of("b"), alt: "Ours" };
  expect(shown).toEqual({
    image: { ...of("a"), alt: "Ours", focal_point: { x: 0, y: 1 }, dark },
    logo: null,
    title: "Hi",
  });
  expect(fileAt("https://edge.example/media/p/b.webp", files)?.id).toBe("b");
});

it("has the tones of a background alone, with those of its dark partner", () => {
  const files = new Map(
    [
      file("a", { tones: ["#111111", "#eeeeee"], dark_media_id: "b" }),
      file("b", { tones: ["#000000", "#222222"] }),
      file("c", { tones: ["#333333", "#444444"], dark_media_id: "d" }),
      file("d"),
    ].map((f) => [f.id, f]),
  );
  const tones = (media_id: string, member = "background") =>
    (withFiles({ [member]: { media_id } }, files)[member] as { tones?: string[] }).tones;
  expect([tones("a"), tones("c"), tones("a", "image")]).toEqual([
    ["#111111", "#eeeeee", "#000000", "#222222"],
    undefined,
    undefined,
  ]);
});

it("gives what moves the address of its still picture", () => {
  const video = file("v", { kind: "video", poster_media_id: "a", renditions: [] });
  const files = new Map([video, file("a")].map((f) => [f.id, f]));
  expect(withFiles({ background: { media_id: "v", overlay: 0.4 } }, files).background).toMatchObject({
    kind: "video",
    poster: "https://edge.example/media/p/a.jpg",
    overlay: 0.4,
  });
});

it("cuts the largest part of a shape", () => {
  expect(cutOf({ width: 1000, height: 600 }, 1, 1, 0)).toEqual({ width: 600, height: 600, x: 400, y: 0 });
  expect(cutOf({ width: 900, height: 1600 }, 4 / 3, 0.5, 0.5)).toEqual({ width: 900, height: 675, x: 0, y: 463 });
  expect(cutOf({ width: 9, height: 5 }, null, 0.5, 0.5)).toEqual({ width: 9, height: 5, x: 0, y: 0 });
});

it("puts the file of an option in the place of its id", () => {
  const content = { options: [{ label: "Sea", media_id: "media_a" }, { label: "Gone", media_id: "media_b" }, "Plain"] };
  expect(mediaIdsIn(content)).toEqual(["media_a", "media_b"]);
  expect(withFiles(content, new Map([["media_a", file("media_a")]]))).toMatchObject({
    options: [
      { label: "Sea", image: { url: "https://edge.example/media/p/media_a.jpg" } },
      { label: "Gone", image: null },
      "Plain",
    ],
  });
});
