import { expect, test } from "vitest";
import type { AuditEntryView } from "@/api/schema";
import { changeInWords, groupChanges } from "./changes";

function entry(action: string, at: string, name?: string, user = "ada"): AuditEntryView {
  return {
    id: `${action} ${at}`,
    at: `2026-11-20T10:00:${at}Z`,
    user_id: user,
    action,
    entity_type: action.split(".")[0] ?? "",
    entity_id: "id",
    before: null,
    after: name === undefined ? {} : { name },
  };
}

test("a change names its object by the entry, or else as it is called now", () => {
  expect(changeInWords(entry("flow.create", "01.000", "Welcome"))).toBe("created the flow “Welcome”");
  expect(changeInWords({ ...entry("flow.update", "01.000"), entity_name: "Tour" })).toBe("changed the flow “Tour”");
  expect(changeInWords(entry("experiment.update", "01.000"))).toBe("changed an experiment");
  expect(changeInWords(entry("flow.draft_saved", "01.000", "Tour"))).toBe("changed the draft of the flow “Tour”");
  expect(changeInWords(entry("flow.published", "01.000", "Tour"))).toBe("published the flow “Tour”");
  expect(changeInWords(entry("secret_key.rotate", "01.000"))).toBe("replaced a secret key");
});

test("an unknown action is shown as the service names it", () => {
  expect(changeInWords(entry("audience.merge_all", "01.000"))).toBe("merge all audience");
});

test("entries of a person within a second are one change, named by the flow", () => {
  const grouped = groupChanges([
    entry("screen.create", "05.200"),
    entry("flow.create", "05.100", "Welcome"),
    entry("screen.create", "05.000"),
    entry("flow.update", "03.000"),
    entry("flow.update", "02.900", undefined, "grace"),
  ]);
  expect(grouped.map((change) => [change.entry.action, change.more])).toEqual([
    ["flow.create", 0],
    ["flow.update", 0],
    ["flow.update", 0],
  ]);
});

test("a project stands for everything that was made with it", () => {
  const grouped = groupChanges([
    entry("project.update", "01.300", "Bloom"),
    entry("flow.create", "01.200", "Welcome"),
    entry("project.create", "01.000", "Bloom"),
  ]);
  expect(grouped.map((change) => [change.entry.action, change.more])).toEqual([["project.create", 0]]);
});

test("a change that is repeated counts once", () => {
  const grouped = groupChanges([entry("flow.draft_saved", "09.000"), entry("flow.draft_saved", "05.000")]);
  expect(grouped.map((change) => change.entry.at)).toEqual(["2026-11-20T10:00:09.000Z"]);
});
