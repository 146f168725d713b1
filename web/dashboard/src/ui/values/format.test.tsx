import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { formatDate, formatDay, formatFraction, formatLift, formatSeconds } from "./format";
import { TodayLeft } from "./TodayLeft";

const NOW = new Date("2026-11-22T12:00:00Z");

test.each([
  ["2026-11-22T11:59:30Z", "now"],
  ["2026-11-22T11:30:00Z", "30 minutes ago"],
  ["2026-11-22T09:00:00Z", "3 hours ago"],
  ["2026-11-21T11:00:00Z", "yesterday"],
  ["2026-11-24T12:00:00Z", "in 2 days"],
  ["2026-11-23T11:59:50Z", "in 24 hours"],
])("%s is %s", (time, words) => {
  expect(formatDate(new Date(time), NOW).replace("this ", "")).toBe(words);
});

test("a date a week away is absolute", () => {
  expect(formatDate(new Date("2026-11-01T12:00:00Z"), NOW)).toBe("Nov 1, 2026");
});

test("fractions have at most one decimal", () => {
  expect(formatFraction(0.5)).toBe("50%");
  expect(formatFraction(0.12345)).toBe("12.3%");
});

test("only nothing is 0% and only all is 100%", () => {
  expect([0, 0.0004, 0.001, 0.9994, 0.9996, 1].map(formatFraction)).toEqual([
    "0%",
    "<0.1%",
    "0.1%",
    ">99.9%",
    ">99.9%",
    "100%",
  ]);
});

test("changes have a sign", () => {
  expect([0.123, -0.05, 0].map(formatLift)).toEqual(["+12.3%", "-5%", "0%"]);
});

test.each([
  [0, "0 s"],
  [4.25, "4.3 s"],
  [59.4, "59 s"],
  [60, "1 min"],
  [125, "2 min 5 s"],
  [3600, "1 h"],
  [5400, "1 h 30 min"],
])("%s seconds are %s", (seconds, words) => {
  expect(formatSeconds(seconds)).toBe(words);
});

test("days of the service are days in UTC", () => {
  expect(formatDay("2026-11-20")).toBe("Nov 20");
});

test("rest of the day is that of the day in UTC", () => {
  render(
    <MantineProvider env="test">
      <TodayLeft now={new Date("2026-11-27T17:19:00Z")} />
    </MantineProvider>,
  );
  screen.getByText(/^Today ends in 6 h 41 min: at midnight UTC, \d\d:00 here\.$/);
});
