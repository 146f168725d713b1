import { expect, test } from "vitest";
import type { FunnelScreenView, FunnelView } from "@/api/schema";
import { busiestFlow, experimentsWith, screenBars, screenName, tooFewUsers, variantBars } from "./funnel";

function screen(order: number, reached: number, completed: number): FunnelScreenView {
  return {
    screen_id: `screen_${order}`,
    type: "welcome",
    name: order === 0 ? null : `Screen ${order}`,
    order,
    reached,
    completed,
    drop_off: reached - completed,
    drop_off_rate: 0,
    median_seconds: null,
    entered_from_start_rate: 0,
  };
}

const funnel: FunnelView = {
  flow_id: "flow_1",
  from: "2026-11-01",
  to: "2026-11-30",
  started: 40,
  completed: 10,
  completion_rate: 0.25,
  screens: [screen(0, 40, 30), screen(1, 30, 10)],
  variants: [
    { variant: "a", started: 20, completed: 5, completion_rate: 0.25, screens: [screen(0, 20, 10), screen(1, 10, 5)] },
    { variant: null, started: 0, completed: 0, completion_rate: 0, screens: [screen(0, 0, 0), screen(1, 0, 0)] },
  ],
};

test("a screen is named by its place and its name, or else its type", () => {
  expect(funnel.screens.map(screenName)).toEqual(["1. Welcome", "2. Screen 1"]);
});

test("a bar is split into users who completed the screen and users who left", () => {
  expect(screenBars(funnel)[1]).toEqual({ name: "2. Screen 1", completed: 10, lost: 20 });
});

test("variants are compared by their shares, since their users differ in number", () => {
  expect(variantBars(funnel)).toEqual([
    { name: "1. Welcome", a: 0.5, "": 0 },
    { name: "2. Screen 1", a: 0.25, "": 0 },
  ]);
});

test("a picture needs ten users in each variant", () => {
  expect(tooFewUsers([{ started: 10 }, { started: 400 }])).toBeNull();
  expect(tooFewUsers([{ started: 9 }, { started: 400 }])).toBe(9);
});

test("the flow with the most starts is shown first", () => {
  const flows = ["one", "two", "three"].map((id, starts) => ({ id, starts: starts % 2 }));
  expect(busiestFlow(flows)?.id).toBe("two");
  expect(busiestFlow([])).toBeUndefined();
});

test("an experiment is offered for the flows of its variants", () => {
  const variant = { key: "a", name: "A", flow_id: "flow_1", weight: 100, is_control: true };
  expect(experimentsWith("flow_1", [{ variants: [variant] }, { variants: [] }])).toHaveLength(1);
});
