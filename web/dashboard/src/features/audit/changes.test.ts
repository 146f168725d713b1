import { expect, test } from "vitest";
import type { AuditEntryView } from "@/api/schema";
import { actionInWords, authorInWords, changesOf, namesOf, objectName, viewOf } from "./changes";

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

test("author is the name, the id of an erased user, or an operator", () => {
  expect(authorInWords({ user_id: "user_1", user_name: "Ada" })).toBe("Ada");
  expect(authorInWords({ user_id: "user_1" })).toBe("user_1");
  expect(authorInWords({ user_id: "operator" })).toBe("Operator of the installation");
});

test("action is read as words", () => {
  expect(actionInWords({ action: "flow.draft_saved", entity_type: "flow" })).toBe("Changed the draft of a flow");
  expect(actionInWords({ action: "new_thing.made_up", entity_type: "new_thing" })).toBe("Made up new thing");
});

test("object is named by the entry, or as it is called now, or by its deletion", () => {
  const entry = { entity_id: "flow_1", before: null, after: null } as AuditEntryView;
  const deletion = { ...entry, before: { name: "Tour" } };
  expect(objectName({ ...entry, before: { name: "Old tour" }, entity_name: "Tour" }, new Map())).toBe("Old tour");
  expect(objectName({ ...entry, entity_name: "Tour" }, new Map())).toBe("Tour");
  expect(objectName(entry, namesOf([deletion, entry]))).toBe("Tour");
  expect(objectName({ ...entry, entity_id: "key_1", after: { name: null } }, namesOf([entry]))).toBeUndefined();
});

test("object is a link to its view, unless it is deleted or has none", () => {
  expect(viewOf({ entity_type: "flow", entity_name: "Tour" })).toBe("flows/$flowId");
  expect(viewOf({ entity_type: "flow", entity_name: undefined })).toBeNull();
  expect(viewOf({ entity_type: "qa_device" })).toBe("settings/qa-devices");
  expect(viewOf({ entity_type: "new_thing", entity_name: "Tour" })).toBeNull();
});
