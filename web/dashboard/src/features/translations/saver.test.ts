import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/errors";
import { TranslationSaver } from "./saver";

const hallo = { text: "Hallo", base: "Hello" };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a text that is typed while another request runs is sent after it, alone", async () => {
  const answers: (() => void)[] = [];
  const send = vi.fn(() => new Promise<{ skipped: [] }>((resolve) => answers.push(() => resolve({ skipped: [] }))));
  const saver = new TranslationSaver(send);
  saver.set("a/title", hallo);
  await vi.advanceTimersByTimeAsync(800);
  const longer = { text: "Hallo du", base: "Hello" };
  saver.set("a/title", longer);
  saver.set("b/title", hallo);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(send.mock.calls).toEqual([[{ "a/title": hallo }]]);
  answers[0]?.();
  await vi.advanceTimersByTimeAsync(800);
  expect(send.mock.calls[1]).toEqual([{ "a/title": longer, "b/title": hallo }]);
  answers[1]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(saver.getState()).toMatchObject({ edits: {}, status: "saved" });
});

test("a lost request is sent again, and a refused one keeps the texts", async () => {
  const send = vi.fn().mockRejectedValueOnce(new TypeError("offline")).mockResolvedValueOnce({ skipped: [] });
  const saver = new TranslationSaver(send, { "a/title": hallo });
  await saver.flush();
  expect(saver.getState()).toMatchObject({ edits: { "a/title": hallo }, status: "waiting" });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(saver.getState()).toMatchObject({ edits: {}, status: "saved" });
  send.mockRejectedValueOnce(new ApiError("The flow is archived", 409, "CONFLICT", [], null));
  saver.set("a/title", hallo);
  await saver.flush();
  expect(saver.getState()).toMatchObject({
    edits: { "a/title": hallo },
    status: "failed",
    reason: "The flow is archived",
  });
});

test("a text that the service skips has the reason until it is typed again", async () => {
  const saver = new TranslationSaver(async () => ({ skipped: [{ key: "a/title", reason: "the text is empty" }] }));
  saver.set("a/title", hallo);
  await saver.flush();
  expect(saver.getState().refused).toEqual({ "a/title": "the text is empty" });
  saver.set("a/title", hallo);
  expect(saver.getState().refused).toEqual({});
});
