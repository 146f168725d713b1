import { expect, test } from "vitest";
import { chartRows, groupName } from "./counts";

const row = { events: 3, users: 2 };

test("a group has the name of its flow or screen, else its own value", () => {
  const names = new Map([["flow_1", "Welcome"]]);
  expect(groupName("flow", { ...row, flow_id: "flow_1" }, names)).toBe("Welcome");
  expect(groupName("flow", { ...row, flow_id: "flow_2" }, names)).toBe("flow_2");
  expect(groupName("platform", { ...row, platform: "ios" }, names)).toBe("iOS");
  expect(groupName("day", { ...row, date: "2026-11-20" }, names)).toBe("Nov 20");
});

test("events without the group are named so", () => {
  expect(groupName("variant", { ...row, variant: null }, new Map())).toBe("Not reported");
});

test("a picture has all days but only the twelve largest other groups", () => {
  const rows = Array.from({ length: 40 }, (_, number) => ({
    ...row,
    date: `day ${number}`,
    event_type: `type_${number}`,
  }));
  expect(chartRows({ group_by: "day", rows }, new Map())).toHaveLength(40);
  const bars = chartRows({ group_by: "event_type", rows }, new Map());
  expect(bars).toHaveLength(12);
  expect(bars[0]).toEqual({ name: "type_0", events: 3, users: 2 });
});
