import { expect, test } from "vitest";
import { errorsOf, newValues, stepOf } from "./values";

const values = newValues({ id: "flow_1", name: "Tour" });

test("a step tells its own errors at their fields", () => {
  expect(Object.keys(errorsOf("idea", values))).toEqual(["name"]);
  expect(Object.keys(errorsOf("variants", values))).toEqual(["variants.1.flow_id"]);
  expect(errorsOf("audience", values)).toEqual({});
  expect(Object.keys(errorsOf("audience", { ...values, traffic_percentage: "" }))).toEqual(["traffic_percentage"]);
});

test("weights must sum to 100", () => {
  const variants = values.variants.map((row, place) => ({ ...row, flow_id: `flow_${place}`, weight: 45 }));
  expect(errorsOf("variants", { ...values, variants })).toEqual({
    variants: "Shares sum to 90%; they must sum to 100%",
  });
});

test("weights are whole", () => {
  const variants = values.variants.map((row, place) => ({
    ...row,
    flow_id: `flow_${place}`,
    weight: [33.5, 66.5][place] ?? 0,
  }));
  expect(Object.keys(errorsOf("variants", { ...values, variants }))).toEqual([
    "variants.0.weight",
    "variants.1.weight",
  ]);
});

test.each([
  ["hypothesis", "idea"],
  ["variants.1.flow_id", "variants"],
  ["conditions.0.value", "audience"],
  ["projectId", "check"],
])("the field %s is of the step %s", (path, step) => {
  expect(stepOf(path)).toBe(step);
});
