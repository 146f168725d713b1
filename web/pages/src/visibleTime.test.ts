import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { afterVisible } from "./visibleTime";

let visibility: DocumentVisibilityState;

function turn(state: DocumentVisibilityState): void {
  visibility = state;
  document.dispatchEvent(new Event("visibilitychange"));
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  visibility = "visible";
  vi.spyOn(document, "visibilityState", "get").mockImplementation(() => visibility);
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("time passes only while the page is visible", () => {
  const done = vi.fn();
  afterVisible(3_000, done);
  vi.advanceTimersByTime(1_000);
  turn("hidden");
  vi.advanceTimersByTime(60_000);
  turn("visible");
  vi.advanceTimersByTime(1_900);
  expect(done).not.toHaveBeenCalled();
  vi.advanceTimersByTime(200);
  expect(done).toHaveBeenCalledOnce();
});

test("wait that begins in a hidden page begins when it is shown, and a stopped one never ends", () => {
  visibility = "hidden";
  const [done, stopped] = [vi.fn(), vi.fn()];
  afterVisible(1_000, done);
  const stop = afterVisible(1_000, stopped);
  vi.advanceTimersByTime(5_000);
  expect(done).not.toHaveBeenCalled();
  turn("visible");
  stop();
  vi.advanceTimersByTime(1_000);
  expect(done).toHaveBeenCalledOnce();
  expect(stopped).not.toHaveBeenCalled();
});
