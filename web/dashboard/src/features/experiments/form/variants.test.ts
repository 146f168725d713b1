import { expect, test } from "vitest";
import {
  evenWeights,
  newVariants,
  sumOfWeights,
  variantBodies,
  withFlow,
  withoutVariant,
  withVariant,
} from "./variants";

const TOUR = { id: "flow_1", name: "Tour" };
const SHORT = { id: "flow_2", name: "Short tour" };

test.each([2, 3, 4, 6, 7, 9, 10])("even weights of %i variants are whole and sum to 100", (count) => {
  const weights = evenWeights(count);
  expect(weights.reduce((sum, weight) => sum + weight)).toBe(100);
  expect(Math.max(...weights) - Math.min(...weights)).toBeLessThanOrEqual(1);
});

test("the default flow is the control of a new experiment", () => {
  const bodies = variantBodies(newVariants(TOUR));
  expect(bodies.map(({ is_control, weight, flow_id }) => [is_control, weight, flow_id])).toEqual([
    [true, 50, "flow_1"],
    [false, 50, ""],
  ]);
});

test("even weights stay even when variants come and go, others stay as they are", () => {
  const three = withVariant(newVariants(TOUR));
  expect(three.map(({ weight }) => weight)).toEqual([34, 33, 33]);
  expect(withoutVariant(three, 1).map(({ weight }) => weight)).toEqual([50, 50]);
  const uneven = newVariants(TOUR).map((row, place) => ({ ...row, weight: place === 0 ? 90 : 10 }));
  expect(withVariant(uneven).map(({ weight }) => weight)).toEqual([90, 10, 0]);
});

test("keys of variants differ, also after one has been removed", () => {
  const rows = withVariant(withoutVariant(withVariant(withVariant(newVariants(null))), 1));
  expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
});

test("the name of a variant follows its flow until it has one of its own", () => {
  const [control] = newVariants(TOUR);
  if (control === undefined) {
    throw new Error("There is no control");
  }
  expect(withFlow(control, SHORT).name).toBe("Short tour");
  expect(withFlow({ ...control, name: "As it is" }, SHORT).name).toBe("As it is");
});

test("an empty weight counts as 0", () => {
  expect(sumOfWeights([{ weight: 60 }, { weight: "" }])).toBe(60);
});
