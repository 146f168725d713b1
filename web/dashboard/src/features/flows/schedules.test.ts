import { expect, test } from "vitest";
import type { ScheduleState, ScheduleView } from "@/api/schema";
import { untilNextRun } from "./schedules";

const NOW = Date.parse("2026-11-22T12:00:00Z");

function schedule(state: ScheduleState, time: string): ScheduleView {
  const run_at = `2026-11-22T${time}Z`;
  const common = {
    flow_id: "flow_1",
    action: "publish",
    version: null,
    activate: false,
    void_reason: null,
    note: null,
    error: null,
    ended_at: null,
  } as const;
  return { ...common, id: time, run_at, state, created_by: "ada", created_at: run_at };
}

test("schedules are read again when the next one is due", () => {
  const due = [schedule("pending", "12:00:20"), schedule("pending", "12:00:40"), schedule("cancelled", "12:00:10")];
  expect(untilNextRun(due, NOW)).toBe(20_000);
  expect(untilNextRun([schedule("pending", "11:59:00")], NOW)).toBe(2_000);
  expect(untilNextRun([schedule("pending", "13:00:00")], NOW)).toBe(60_000);
});

test("schedules of which none waits are not read again", () => {
  expect(untilNextRun([schedule("cancelled", "12:00:20")], NOW)).toBe(false);
});
