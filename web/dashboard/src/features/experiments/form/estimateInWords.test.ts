import { expect, test } from "vitest";
import { estimateInWords } from "./estimateInWords";

const planned = { goal: "flow_completed", traffic: 100, smallestWeight: 50, hasConditions: false };
const estimate = { users_per_day: 210, baseline_rate: 0.23, users_per_variant: 1250, days: 12 };

test("days come with the users that they need", () => {
  expect(estimateInWords(estimate, planned)).toEqual({
    days: "About 12 days",
    reasons: [
      "1,250 users in each variant. The project has 210 users a day, 23% of them with flow_completed.",
      "Let it run for whole weeks: users of a Monday are not those of a Sunday.",
    ],
  });
});

test("a long time is said to be long", () => {
  const { reasons } = estimateInWords({ ...estimate, days: 200 }, planned);
  expect(reasons.at(-1)).toContain("That is long");
});

test.each([
  [{ ...estimate, users_per_day: 0, baseline_rate: null, users_per_variant: null, days: null }, planned, "no users"],
  [{ ...estimate, baseline_rate: 0, users_per_variant: null, days: null }, planned, "none of your users"],
  [{ ...estimate, baseline_rate: 0.97, users_per_variant: null, days: null }, planned, "97% of your users"],
  [{ ...estimate, days: null }, { ...planned, traffic: 0 }, "no user takes part"],
])("without an answer the reason is told", (unknown, plan, reason) => {
  const told = estimateInWords(unknown, plan);
  expect(told.days).toBeNull();
  expect(told.reasons.join(" ")).toContain(reason);
});
