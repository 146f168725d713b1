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
    ["flow.create", 2],
    ["flow.update", 0],
    ["flow.update", 0],
  ]);
});
