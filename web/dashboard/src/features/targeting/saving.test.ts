import { afterEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/errors";
import type { FlowViewWithContent } from "@/api/schema";
import { type EditedFlow, fetchEdited, saveDraft } from "@/features/editor/queries";
import { updateFlow } from "@/features/flows/queries";
import { savesIntoDraft, saveTargeting, TargetingConflict } from "./saving";

vi.mock("@/features/editor/queries", () => ({ fetchEdited: vi.fn(), saveDraft: vi.fn() }));
vi.mock("@/features/flows/queries", () => ({ updateFlow: vi.fn() }));
afterEach(() => vi.resetAllMocks());

function edited(percentage: number, etag: string | null): EditedFlow {
  const targeting = { percentage, conditions: [] };
  return {
    flow: { id: "flow_1" } as FlowViewWithContent,
    document: { name: "Tour", description: null, theme_id: null, priority: 0, targeting, screens: [] },
    liveEtag: '"live"',
    etag,
    baseVersion: 3,
    liveVersion: 3,
    liveScreens: [],
    savedBy: null,
    savedAt: null,
  };
}

const MINE = { percentage: 80, conditions: [] };
const CHANGED = new ApiError("The flow has changed", 412, "PRECONDITION_FAILED", [], "request-1");

test("a change goes into the draft where there is one or the project demands it", () => {
  const project = (direct_writes: string, required_approvals: number) =>
    ({ settings: { direct_writes, required_approvals } }) as Parameters<typeof savesIntoDraft>[1];
  expect(savesIntoDraft(edited(100, null), project("allowed", 0))).toBe(false);
  expect(savesIntoDraft(edited(100, '"1"'), project("allowed", 0))).toBe(true);
  expect(savesIntoDraft(edited(100, null), project("refused", 0))).toBe(true);
  expect(savesIntoDraft(edited(100, null), project("allowed", 1))).toBe(true);
});

test("the flow that was read is the one that is replaced", async () => {
  await saveTargeting(edited(100, null), false, MINE);
  expect(updateFlow).toHaveBeenCalledWith("flow_1", { targeting: MINE }, '"live"');
  const draft = edited(100, '"1"');
  await saveTargeting(draft, true, MINE);
  expect(saveDraft).toHaveBeenCalledWith(draft, {
    document: { ...draft.document, targeting: MINE },
    base_version: 3,
  });
});

test("other changes of the flow are taken over, another targeting is a conflict", async () => {
  const renamed = { ...edited(100, '"2"'), baseVersion: 4 };
  vi.mocked(saveDraft).mockRejectedValueOnce(CHANGED);
  vi.mocked(fetchEdited).mockResolvedValueOnce(renamed);
  await saveTargeting(edited(100, '"1"'), true, MINE);
  expect(saveDraft).toHaveBeenLastCalledWith(renamed, expect.objectContaining({ base_version: 4 }));

  const theirs = edited(70, '"3"');
  vi.mocked(saveDraft).mockRejectedValueOnce(CHANGED);
  vi.mocked(fetchEdited).mockResolvedValueOnce(theirs);
  const conflict = await saveTargeting(edited(100, '"1"'), true, MINE).catch((error) => error);
  expect(conflict).toBeInstanceOf(TargetingConflict);
  expect(conflict).toMatchObject({ theirs, requestId: "request-1" });
});
