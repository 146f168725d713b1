import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/errors";
import type { FlowViewWithContent } from "@/api/schema";
import { type EditedFlow, fetchEdited, saveDraft } from "@/features/editor/queries";
import { updateFlow } from "@/features/flows/queries";
import { savesIntoDraft, saveTargeting, seenOf, TargetingConflict } from "./saving";
import { TargetingForm } from "./TargetingForm";

vi.mock("@/features/editor/queries", () => ({ fetchEdited: vi.fn(), saveDraft: vi.fn() }));
vi.mock("@/features/flows/queries", () => ({ updateFlow: vi.fn() }));
vi.mock("@/features/members/queries", () => ({ memberNamesQuery: () => ({ queryKey: [], queryFn: () => new Map() }) }));
afterEach(() => vi.resetAllMocks());

function edited(percentage: number, etag: string | null): EditedFlow {
  const targeting = { percentage, conditions: [] };
  return {
    flow: { id: "flow_1" } as FlowViewWithContent,
    document: { name: "Tour", description: null, theme_id: null, targeting, screens: [] },
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
  const live = edited(100, null);
  await saveTargeting(live, seenOf(live), false, MINE);
  expect(updateFlow).toHaveBeenCalledWith("flow_1", { targeting: MINE }, '"live"');
  const draft = edited(100, '"1"');
  await saveTargeting(draft, seenOf(draft), true, MINE);
  expect(saveDraft).toHaveBeenCalledWith(draft, {
    document: { ...draft.document, targeting: MINE },
    base_version: 3,
  });
});

test("other changes of the flow are taken over, another targeting is a conflict", async () => {
  const renamed = { ...edited(100, '"2"'), baseVersion: 4 };
  vi.mocked(saveDraft).mockRejectedValueOnce(CHANGED);
  vi.mocked(fetchEdited).mockResolvedValueOnce(renamed);
  const draft = edited(100, '"1"');
  await saveTargeting(draft, seenOf(draft), true, MINE);
  expect(saveDraft).toHaveBeenLastCalledWith(renamed, expect.objectContaining({ base_version: 4 }));

  const theirs = edited(70, '"3"');
  vi.mocked(saveDraft).mockRejectedValueOnce(CHANGED);
  vi.mocked(fetchEdited).mockResolvedValueOnce(theirs);
  const conflict = await saveTargeting(draft, seenOf(draft), true, MINE).catch((error) => error);
  expect(conflict).toBeInstanceOf(TargetingConflict);
  expect(conflict).toMatchObject({ theirs, requestId: "request-1" });
});

test("changes that were made on an earlier flow are sent with its entity tags", async () => {
  const seen = seenOf(edited(100, '"1"'));
  vi.mocked(saveDraft).mockResolvedValueOnce({ data: {}, etag: '"3"' } as never);
  await saveTargeting({ ...edited(70, '"2"'), baseVersion: 4 }, seen, true, MINE);
  expect(saveDraft).toHaveBeenLastCalledWith(
    expect.objectContaining({ etag: '"1"' }),
    expect.objectContaining({ base_version: 3 }),
  );
});

function live(percentage: number, liveEtag: string): EditedFlow {
  return { ...edited(percentage, null), liveEtag };
}

function show(flow: EditedFlow) {
  return render(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        <TargetingForm edited={flow} intoDraft={false} onRestart={vi.fn(async () => {})} onUnsaved={vi.fn()} />
      </QueryClientProvider>
    </MantineProvider>,
  );
}

const share = () => screen.getByLabelText<HTMLInputElement>("Share of matching devices");
const conflict = () => screen.queryByRole("group", { name: "Two people changed who sees this flow" });

/** Type a share, and load the page again after another save. */
function restoreAfter(saved: EditedFlow): void {
  const before = show(live(100, '"1"'));
  fireEvent.change(share(), { target: { value: "50" } });
  before.unmount();
  show(saved);
  expect(share().value).toBe("50%");
}

test("a save of another editor is a conflict of the values that survive a reload", async () => {
  restoreAfter(live(70, '"2"'));
  expect(conflict()?.textContent).toContain("70% of the devices that match");
  fireEvent.click(screen.getByRole("button", { name: "Keep my version" }));
  await waitFor(() =>
    expect(updateFlow).toHaveBeenCalledWith("flow_1", { targeting: { percentage: 50, conditions: [] } }, '"2"'),
  );
});

test("their version takes the place of the values that survive a reload", () => {
  restoreAfter(live(70, '"2"'));
  fireEvent.click(screen.getByRole("button", { name: "Take their version" }));
  expect(conflict()).toBeNull();
  expect(share().value).toBe("70%");
  expect(sessionStorage.length).toBe(0);
});

test("a change of something else is no conflict after a reload", () => {
  restoreAfter(live(100, '"2"'));
  expect(conflict()).toBeNull();
});
