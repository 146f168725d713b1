import { expect, test } from "vitest";
import { datesOf, daysOfExperiment, daysOfPeriod, isDay } from "./search";

test("days come before a period, and only in pairs in their order", () => {
  const days = { from: "2026-11-01", to: "2026-11-03" };
  expect(datesOf({ ...days, period: "7d" })).toEqual(days);
  expect(datesOf({ from: "2026-11-04", to: "2026-11-03", period: "7d" })).toEqual({ period: "7d" });
  expect(datesOf({ from: "2026-11-01" })).toEqual({ period: "30d" });
});

test("a period ends today, and today counts", () => {
  const now = new Date("2026-11-20T23:59:00Z");
  expect(daysOfPeriod("1d", now)).toEqual({ from: "2026-11-20", to: "2026-11-20" });
  expect(daysOfPeriod("7d", now)).toEqual({ from: "2026-11-14", to: "2026-11-20" });
});

test.each([
  ["2026-02-28", true],
  ["2026-02-30", false],
  ["1999-12-31", false],
  ["2026-2-3", false],
  ["yesterday", false],
])("%s is a day of the service: %s", (text, expected) => {
  expect(isDay(text)).toBe(expected);
});

test("an experiment has days from its start to its end, or to today", () => {
  const now = new Date("2026-11-20T23:59:00Z");
  const started = "2026-11-01T10:00:00Z";
  expect(daysOfExperiment(started, null, now)).toEqual({ from: "2026-11-01", to: "2026-11-20" });
  expect(daysOfExperiment(started, "2026-11-05T00:00:00Z", now)).toEqual({ from: "2026-11-01", to: "2026-11-05" });
});
