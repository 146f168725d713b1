import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/errors";
import type { DraftView, FlowViewWithContent } from "@/api/schema";
import type { FlowDocument } from "./document";
import { DraftSaver } from "./draftSaver";
import { type EditedFlow, fetchEdited, saveDraft } from "./queries";

vi.mock("./queries", () => ({ fetchEdited: vi.fn(), saveDraft: vi.fn() }));
beforeEach(() => {
  vi.useFakeTimers();
  vi.mocked(saveDraft).mockImplementation(async (_, { document }) => ({
    data: { document: { screens: [], ...document } } as unknown as DraftView,
    etag: '"next"',
  }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.resetAllMocks();
});

function named(name: string): FlowDocument {
  const targeting = { percentage: 100, conditions: [] };
  return { name, description: null, theme_id: null, targeting, screens: [] };
}

function edited(name: string, etag: string | null): EditedFlow {
  return {
    flow: { id: "flow_1" } as FlowViewWithContent,
    document: named(name),
    liveEtag: null,
    etag,
    baseVersion: 1,
    liveVersion: 1,
    liveScreens: [],
    savedBy: null,
    savedAt: null,
  };
}

test("quick changes are one save, against the draft that was read", async () => {
  const origin = edited("Tour", null);
  const saver = new DraftSaver("flow_1", origin);
  saver.update(named("T"));
  saver.update(named("Trip"));
  expect(saver.state.kind).toBe("saving");
  await vi.advanceTimersByTimeAsync(1000);
  expect(saver.state.kind).toBe("saved");
  expect(saveDraft).toHaveBeenCalledOnce();
  expect(vi.mocked(saveDraft).mock.calls[0]?.[0]).toBe(origin);
  expect(saver.base.etag).toBe('"next"');
});

test("changes that are undone before they are saved need no save", async () => {
  const saver = new DraftSaver("flow_1", edited("Tour", '"1"'));
  saver.update(named("Trip"));
  saver.update(saver.saved);
  await vi.advanceTimersByTimeAsync(1000);
  expect(saver.state).toEqual({ kind: "saved", at: null });
  expect(saveDraft).not.toHaveBeenCalled();
});

test("draft that someone else has saved is a conflict, which no later change overwrites", async () => {
  const theirs = edited("Theirs", '"2"');
  vi.mocked(saveDraft).mockRejectedValueOnce(new ApiError("Changed", 412, "PRECONDITION_FAILED", [], null));
  vi.mocked(fetchEdited).mockResolvedValueOnce(theirs);
  const saver = new DraftSaver("flow_1", edited("Tour", '"1"'));
  saver.update(named("Mine"));
  await vi.advanceTimersByTimeAsync(1000);
  expect(saver.state).toEqual({ kind: "conflict", theirs });
  saver.update(named("Mine too"));
  await vi.advanceTimersByTimeAsync(1000);
  expect(saveDraft).toHaveBeenCalledOnce();
  expect(await saver.keepMine()).toBe(true);
  expect(vi.mocked(saveDraft).mock.lastCall?.[0]).toBe(theirs);
});

test("changes wait while there is no connection, and are counted", async () => {
  vi.mocked(saveDraft).mockRejectedValueOnce(new TypeError("Failed to fetch"));
  const saver = new DraftSaver("flow_1", edited("Tour", '"1"'));
  saver.update(named("One"));
  await vi.advanceTimersByTimeAsync(1000);
  saver.update(named("Two"));
  expect(saver.state).toEqual({ kind: "waiting", changes: 2 });
  await saver.flush();
  expect(saver.state.kind).toBe("saved");
});
