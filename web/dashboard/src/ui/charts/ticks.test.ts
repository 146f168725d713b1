import { expect, test } from "vitest";
import { ticksOf } from "./ticks";

test.each([
  [0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]],
  [-0.08, 0.31, [-0.1, 0, 0.1, 0.2, 0.3, 0.4]],
  [0.18, 0.27, [0.18, 0.2, 0.22, 0.24, 0.26, 0.28]],
])("ticks of %f to %f are round and hold the range", (low, high, ticks) => {
  expect(ticksOf(low, high)).toEqual(ticks);
});

test("a range without a width has ticks too", () => {
  expect(ticksOf(0, 0).length).toBeGreaterThan(1);
});
