import { expect, test } from "vitest";
import type { Condition } from "@/api/schema";
import { attributesOf, conditionOf, hasValue, newRow, rowOf } from "./conditions";

test.each<Condition>([
  { attribute: "platform", operator: "in", value: ["ios", "android"] },
  { attribute: "appVersion", operator: "semver_gte", value: "2.1.0" },
  { attribute: "osVersion", operator: "eq", value: "17" },
  { attribute: "attributes.sessions", operator: "gt", value: 3 },
  { attribute: "attributes.pro", operator: "eq", value: true },
  { attribute: "attributes.code", operator: "eq", value: "12" },
  { attribute: "attributes.plan", operator: "in", value: ["pro", 7, "false"] },
  { attribute: "attributes.version", operator: "contains", value: "1" },
  { attribute: "country", operator: "exists" },
])("a condition is the same after it has been a row: %j", (condition) => {
  expect(conditionOf(rowOf(condition, 0))).toEqual(condition);
});

test("value of an app's attribute is text unless another kind is chosen", () => {
  const row = { ...newRow(), attribute: "custom", name: "zip", value: "12345" };
  expect(conditionOf(row)).toMatchObject({ attribute: "attributes.zip", value: "12345" });
  expect(conditionOf({ ...row, type: "number" })).toMatchObject({ value: 12345 });
  expect(conditionOf({ ...row, type: "boolean", value: "true" })).toMatchObject({ value: true });
  expect(conditionOf({ ...row, operator: "in", values: ["1", "1.0"] })).toMatchObject({ value: ["1", "1.0"] });
});

test("a row is complete with a value that its operator takes", () => {
  expect(hasValue({ ...newRow(), value: " " })).toBe(false);
  expect(hasValue({ ...newRow(), operator: "gt", value: "many" })).toBe(false);
  expect(hasValue({ ...newRow(), operator: "in", values: [] })).toBe(false);
  expect(hasValue({ ...newRow(), attribute: "custom", type: "number", value: "many" })).toBe(false);
  expect(hasValue({ ...newRow(), operator: "exists", value: "" })).toBe(true);
});

test("attributes of a device are lines of a name and a value", () => {
  expect(attributesOf("plan = pro\nsessions=3\n\nnothing\ncode = 007")).toEqual({
    plan: "pro",
    sessions: 3,
    code: "007",
  });
});
