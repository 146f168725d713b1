import { readDocument } from "@onboarding/flow/document";
import { afterEach, expect, test, vi } from "vitest";
import { preloadPictures } from "./preload";

const at = (name: string) => `https://pictures.example/${name}.webp`;
const welcome = (name: string) => ({ id: name, type: "welcome", content: { image_url: at(name) } });

afterEach(() => vi.unstubAllGlobals());

test("pictures of the present and the next screen come first, the others when the browser is idle", () => {
  const asked: string[] = [];
  vi.stubGlobal(
    "Image",
    class {
      set src(address: string) {
        asked.push(address);
      }
    },
  );
  let idle = () => {};
  vi.stubGlobal("requestIdleCallback", (callback: () => void) => {
    idle = callback;
  });
  const choice = {
    id: "c",
    type: "question_single_choice",
    content: { options: [{ label: "A", image: at("option") }] },
  };
  const behind = { id: "d", type: "custom", settings: { background: { url: at("behind") } } };
  preloadPictures(readDocument({ screens: [welcome("a"), welcome("b"), choice, behind] }), "b");
  expect(asked).toEqual([at("b"), at("option")]);
  idle();
  expect(asked.slice(2)).toEqual([at("behind"), at("a")]);
});
