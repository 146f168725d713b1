import { readDocument } from "@onboarding/flow/document";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { preloadPictures } from "./preload";
import { Stage } from "./stage";

const at = (name: string) => `https://pictures.example/${name}.webp`;
const welcome = (name: string) => ({ id: name, type: "welcome", content: { image_url: at(name) } });

let asked: string[] = [];
let sizes: string[] = [];
let idle = () => {};

beforeEach(() => {
  asked = [];
  sizes = [];
  vi.stubGlobal(
    "Image",
    class {
      set src(address: string) {
        asked.push(address);
      }
      set sizes(value: string) {
        sizes.push(value);
      }
    },
  );
  vi.stubGlobal("requestIdleCallback", (callback: () => void) => {
    idle = callback;
  });
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
});
afterEach(() => vi.unstubAllGlobals());

function preload(document: object, screenId: string, isDark = false): void {
  const stage = new Stage(window.document.body, readDocument(document), () => isDark, window);
  preloadPictures(stage, screenId);
}

test("pictures of the present and the next screen come first, the others when the browser is idle", () => {
  const choice = {
    id: "c",
    type: "question_single_choice",
    content: { options: [{ label: "A", image: at("option") }] },
  };
  const behind = { id: "d", type: "custom", settings: { background: { url: at("behind") } } };
  preload({ screens: [welcome("a"), welcome("b"), choice, behind] }, "b");
  expect(asked).toEqual([at("b"), at("option")]);
  idle();
  expect(asked.slice(2)).toEqual([at("behind"), at("a")]);
});

test("files are loaded as the page shows them: for its colours, its widths and its motion, in HTML too", () => {
  const file = (name: string, members: object = {}) => ({
    url: at(name),
    srcset: [{ url: at(name), width: 9 }],
    ...members,
  });
  const image = file("light", { dark: file("dark") });
  const moving = file("moving", { kind: "animation", poster: at("still") });
  const film = file("film", { kind: "video", poster: at("poster") });
  const quoted = { type: "social_proof", content: { image: film, quotes: [{ text: "Good", image: file("face") }] } };
  const html = { type: "custom", content: { html: `<p><img src="${at("html")}"></p>` } };
  const choice = { type: "question_single_choice", content: { image: moving, options: [{ label: "A", image }] } };
  preload({ screens: [choice, quoted, html] }, "1", true);
  idle();
  expect(asked).toEqual(["moving", "dark", "poster", "face", "html"].map(at));
  expect(new Set(sizes).size).toBeGreaterThan(3);
});
