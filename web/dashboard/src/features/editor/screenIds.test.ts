import { expect, test } from "vitest";
import type { FlowViewWithContent } from "@/api/schema";
import type { FlowDocument } from "./document";
import type { EditedFlow } from "./queries";
import { ScreenIds } from "./screenIds";

function document(...ids: string[]): FlowDocument {
  const targeting = { percentage: 100, conditions: [] };
  const screens = ids.map((id) => ({ id, type: "welcome", name: null, content: {}, settings: {} }));
  return { name: "Tour", description: null, theme_id: null, targeting, screens };
}

function edited(live: string[], draft: string[]): EditedFlow {
  return {
    flow: {} as FlowViewWithContent,
    document: document(...draft),
    liveEtag: null,
    etag: '"1"',
    baseVersion: 1,
    liveVersion: 1,
    liveScreens: live,
    savedBy: null,
    savedAt: null,
  };
}

const sentIds = (ids: ScreenIds, ...screens: string[]) => ids.toBody(document(...screens)).screens?.map(({ id }) => id);

test("ids of the live flow and of its draft are sent, others are new", () => {
  const ids = new ScreenIds(edited(["live"], ["draft"]));
  expect(sentIds(ids, "live", "draft", "new-1")).toEqual(["live", "draft", undefined]);
});

test("new screen keeps the id of the editor, and is sent with the one of the service", () => {
  const ids = new ScreenIds(edited([], []));
  ids.addStored(document("new-1", "new-2"), document("screen_1", "screen_2"));
  expect(sentIds(ids, "new-2", "new-1")).toEqual(["screen_2", "screen_1"]);
  expect(ids.editorId("screen_2")).toBe("new-2");
  expect(ids.editorId("screen_9")).toBe("screen_9");
});

test("screen that was saved, deleted and brought back is new to the service", () => {
  const ids = new ScreenIds(edited([], []));
  ids.addStored(document("new-1"), document("screen_1"));
  ids.addStored(document(), document());
  expect(sentIds(ids, "new-1")).toEqual([undefined]);
});

test("ids of a draft that someone else has saved are known", () => {
  const ids = new ScreenIds(edited(["live"], ["mine"]));
  ids.load(edited(["live"], ["theirs"]));
  expect(sentIds(ids, "live", "mine", "theirs")).toEqual(["live", undefined, "theirs"]);
});
