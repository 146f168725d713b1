import { expect, test } from "vitest";
import { byDay, isKnown } from "./measures";

const QUIET = { date: "2026-11-19", users: 0, completions: 0, completion_rate: 0, new_users: 0 };
const BUSY = {
  date: "2026-11-20",
  users: 4,
  completions: 2,
  completion_rate: 0.5,
  new_users: 3,
  avg_completion_time: 30,
};
const OVERVIEW = { total_users: 4, new_users: 3, completion_rate: 0.5, avg_completion_time: 30 };
const STATISTICS = { overview: OVERVIEW, daily_stats: [QUIET, BUSY], flow_performance: [] };
const NOTHING = { overview: { ...OVERVIEW, total_users: 0 }, daily_stats: [QUIET], flow_performance: [] };

test("a day without users has no rate and no duration, but a count", () => {
  expect(byDay("users", STATISTICS).map((day) => day.value)).toEqual([0, 4]);
  expect(byDay("completion_rate", STATISTICS).map((day) => day.value)).toEqual([null, 0.5]);
  expect(byDay("avg_completion_time", STATISTICS).map((day) => day.value)).toEqual([null, 30]);
});

test("a period without users has counts alone", () => {
  expect(isKnown("users", NOTHING)).toBe(true);
  expect(isKnown("completion_rate", NOTHING)).toBe(false);
  expect(isKnown("avg_completion_time", NOTHING)).toBe(false);
  expect(isKnown("avg_completion_time", STATISTICS)).toBe(true);
});
