import { expect, test } from "vitest";
import type { PathLinkView } from "@/api/schema";
import type { FlowDocument } from "../document";
import { graphOf } from "./graph";
import { shareOfPath, usersOf } from "./users";

const link = (from: string | null, to: string, rule: string | null, users: number): PathLinkView => ({
  from_screen_id: from,
  to_screen_id: to,
  rule,
  users,
  completed: 0,
});
const when = [{ attribute: "answers.goal", operator: "eq", value: "gain" }];
const DOCUMENT = {
  name: "Plan",
  screens: [
    { id: "goal", type: "welcome", content: {}, settings: {}, next: [{ id: "r1", when, go_to: "weight" }] },
    { id: "food", type: "welcome", content: {}, settings: {} },
    { id: "weight", type: "welcome", content: {}, settings: {} },
  ],
} as unknown as FlowDocument;
const GRAPH = graphOf(DOCUMENT, new Map(), new Map());
const LINKS = [
  link(null, "goal", null, 80),
  link("goal", "weight", "r1", 20),
  link("goal", "food", null, 40),
  link("goal", "left", null, 20),
  link("food", "weight", null, 40),
  link("weight", "end", null, 45),
  link("weight", "left", null, 15),
];

test("users are on the arrows of rules and of the order, and their loss on screens", () => {
  const { arrows, lost, untold, elsewhere } = usersOf(GRAPH, { started: 100, links: LINKS });
  expect(arrows.get("goal weight r1")).toEqual({ users: 20, share: 0.25 });
  expect(arrows.get("goal food ")).toEqual({ users: 40, share: 0.5 });
  expect(arrows.get("weight end ")).toEqual({ users: 45, share: 0.75 });
  expect(lost.get("goal")).toEqual({ users: 20, share: 0.25 });
  expect([lost.has("food"), untold, elsewhere]).toEqual([false, 20, 0]);
});

test("a link of a rule that is gone counts for the order, or elsewhere", () => {
  const links = [link("goal", "food", "gone", 3), link("food", "end", "gone", 2)];
  const { arrows, elsewhere } = usersOf(GRAPH, { started: 5, links });
  expect(arrows.get("goal food ")).toEqual({ users: 3, share: 1 });
  expect(elsewhere).toBe(2);
});

test("without users all shares are 0", () => {
  const { arrows, untold } = usersOf(GRAPH, { started: 0, links: [] });
  expect([...arrows.values()].every(({ users, share }) => users === 0 && share === 0)).toBe(true);
  expect(untold).toBe(0);
});

test("the share of a path is the product of the shares of its links", () => {
  expect(shareOfPath(["goal", "weight"], LINKS)).toBeCloseTo(0.25 * 0.75);
  expect(shareOfPath(["goal", "food", "weight"], LINKS)).toBeCloseTo(0.5 * 0.75);
  expect(shareOfPath(["goal"], LINKS)).toBe(0);
  expect(shareOfPath(["goal", "weight"], [])).toBe(0);
});
