import { expect, test } from "vitest";
import { actionInWords, changesOf } from "./changes";

test("change has the members of both sides", () => {
  expect(changesOf({ before: { name: "Old" }, after: { name: "New", priority: 2 } })).toEqual([
    { member: "name", before: "Old", after: "New" },
    { member: "priority", before: undefined, after: "2" },
  ]);
});

test("creation and deletion have one side", () => {
  expect(changesOf({ before: null, after: { name: "New" } })[0]?.before).toBeUndefined();
  expect(changesOf({ before: { name: "Old" }, after: null })[0]?.after).toBeUndefined();
});

test("action is read as words", () => {
  expect(actionInWords("flow.draft_saved")).toBe("Flow: draft saved");
});
