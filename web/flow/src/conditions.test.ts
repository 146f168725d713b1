import { expect, it } from "vitest";
import file from "../../../docs/bucketing-vectors.json";
import { type Condition, holds } from "./conditions";
import type { Json } from "./json";

interface Vectors {
  conditions: { condition: Condition; device: Json; holds: boolean }[];
  versions: { one: string; other: string; order: number }[];
  notVersions: string[];
}

const vectors = file as Vectors;
const compare = (one: string, operator: string, other: string) =>
  holds({ attribute: "appVersion", operator: `semver_${operator}`, value: other }, { appVersion: one }, {});

it.each(vectors.conditions)("$condition holds for $device: $holds", ({ condition, device, holds: expected }) => {
  expect(holds(condition, device, {})).toBe(expected);
});

it.each(vectors.versions)("$one and $other have the order $order", ({ one, other, order }) => {
  expect(["lt", "lte", "eq", "gte", "gt"].map((operator) => compare(one, operator, other))).toEqual([
    order < 0,
    order <= 0,
    order === 0,
    order >= 0,
    order > 0,
  ]);
});

it.each(vectors.notVersions)("%j is no version", (given) => {
  expect(["lt", "lte", "eq", "gte", "gt"].filter((operator) => compare(given, operator, "1.0.0"))).toEqual([]);
});

const ANSWERS = { many: ["a", "b"], one: ["a"], none: [], text: "abc", age: 30 };

it.each<[string, string, unknown, boolean]>([
  ["answers.many", "contains", "b", true],
  ["answers.many", "contains", "c", false],
  ["answers.text", "contains", "b", true],
  ["answers.many", "in", ["b", "c"], true],
  ["answers.many", "in", ["c"], false],
  ["answers.many", "not_in", ["c"], true],
  ["answers.many", "not_in", ["a"], false],
  ["answers.many", "eq", "a", false],
  ["answers.many", "neq", "a", true],
  ["answers.one", "eq", "a", true],
  ["answers.one", "neq", "a", false],
  ["answers.many", "exists", undefined, true],
  ["answers.none", "exists", undefined, false],
  ["answers.none", "not_exists", undefined, true],
  ["answers.many", "gt", 1, false],
  ["answers.age", "gte", 30, true],
  ["answers.age", "eq", "30", false],
  ["answers.missing", "neq", "a", true],
  ["answers.missing", "not_in", ["a"], true],
  ["answers.constructor", "exists", undefined, false],
  ["answers.text", "like", "abc", false],
  ["variables.bmi", "not_exists", undefined, false],
  ["model", "neq", "a", false],
])("%s %s %j: %s", (attribute, operator, value, expected) => {
  expect(holds({ attribute, operator, value }, {}, ANSWERS)).toBe(expected);
});
