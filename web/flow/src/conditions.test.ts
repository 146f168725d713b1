import { expect, it } from "vitest";
import file from "../../../docs/bucketing-vectors.json";
import { type Condition, holds } from "./conditions";
import { readDocument } from "./document";
import type { Json } from "./json";
import { valuesOf } from "./values";

interface Vectors {
  conditions: { condition: Condition; device: Json; holds: boolean }[];
  versions: { one: string; other: string; order: number }[];
  notVersions: string[];
}

const NOWHERE = { path: [], answers: [], choices: {} };
const vectors = file as Vectors;
const compare = (one: string, operator: string, other: string) =>
  holds({ attribute: "appVersion", operator: `semver_${operator}`, value: other }, { appVersion: one });

it.each(vectors.conditions)("$condition holds for $device: $holds", ({ condition, device, holds: expected }) => {
  expect(holds(condition, valuesOf(readDocument({}), NOWHERE, device))).toBe(expected);
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

it("knows no name of Object", () => {
  expect(holds({ attribute: "answers.constructor", operator: "exists" }, {})).toBe(false);
});
