import { afterEach, expect, test, vi } from "vitest";
import { exportDevice } from "./deviceData";

afterEach(() => vi.unstubAllGlobals());

const FIRST = { project_id: "proj_1", device_id: "a/b", qa_flow_id: "flow_1", exposures: [], named_in: ["flow_1"] };
const LATER = { ...FIRST, qa_flow_id: null, named_in: [] };
const PAGES: Record<string, object> = {
  "": { ...FIRST, events: [{ event_id: "1" }, { event_id: "2" }], dead_letters: [], next: "p2" },
  p2: { ...LATER, events: [], dead_letters: [], next: "p3" },
  p3: { ...LATER, events: [{ event_id: "3" }], dead_letters: [{ reason: "x" }], next: "p4" },
  p4: { ...LATER, events: [], dead_letters: [{ reason: "y" }], next: null },
};

function stubService() {
  const send = vi.fn(async (request: Request) => {
    request.signal.throwIfAborted();
    return Response.json({ success: true, data: PAGES[new URL(request.url).searchParams.get("cursor") ?? ""] });
  });
  vi.stubGlobal("fetch", send);
  return send;
}

test("export follows all pages into one document", async () => {
  const send = stubService();
  const progress: number[] = [];
  const file = await exportDevice("proj_1", "a/b", new AbortController().signal, (items) => progress.push(items));
  const { exported_at, ...document } = JSON.parse(await file.text());
  expect(document).toEqual({
    ...FIRST,
    events: [{ event_id: "1" }, { event_id: "2" }, { event_id: "3" }],
    dead_letters: [{ reason: "x" }, { reason: "y" }],
  });
  expect(exported_at).toMatch(/^\d{4}-/);
  expect(progress).toEqual([2, 2, 4, 5]);
  expect(new URL(send.mock.calls[0]?.[0].url ?? "").pathname).toBe("/api/projects/proj_1/devices/a%2Fb/export");
});

test("cancelled export asks for no further page", async () => {
  const send = stubService();
  const controller = new AbortController();
  const file = exportDevice("proj_1", "a/b", controller.signal, () => controller.abort());
  await expect(file).rejects.toThrow();
  expect(send.mock.calls.length).toBeLessThanOrEqual(2);
});
