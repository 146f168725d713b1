import { expect, test } from "vitest";
import type { LogicCondition } from "@/api/schema";
import type { FlowDocument, FlowScreen } from "../document";
import { type FlowGraph, graphOf, marksOf } from "./graph";
import { centerOf, layoutOf, SCREEN_SIZE } from "./layout";

const NONE = new Map();
const IOS: LogicCondition = { attribute: "platform", operator: "eq", value: "ios" };

function screen(id: string, members: Partial<FlowScreen> = {}): FlowScreen {
  return { id, type: "welcome", name: id, content: {}, settings: {}, ...members };
}

function mapOf(...screens: FlowScreen[]): FlowGraph {
  const targeting = { percentage: 100, conditions: [] };
  const document: FlowDocument = { name: "Plan", description: null, theme_id: null, targeting, screens };
  return graphOf(document, NONE, NONE);
}

const inShort = ({ arrows }: FlowGraph) =>
  arrows.map(({ from, to, kind, label }) => [from, to, kind, label].filter(Boolean).join(" "));

test("flow without logic is a chain from the start to the end", () => {
  expect(inShort(mapOf(screen("a"), screen("b")))).toEqual(["start a order", "a b order", "b end order"]);
});

test("rules are arrows with conditions in words, and one that always holds ends the order", () => {
  const next = [
    { id: "r1", when: [IOS], go_to: "c" },
    { id: "r2", when: [], go_to: "end" },
    { id: "r3", when: [IOS], go_to: "b" },
  ];
  const graph = mapOf(screen("a", { next }), screen("b"), screen("c"));
  expect(inShort(graph)).toEqual([
    "start a order",
    "a c rule platform is iOS",
    "a end rule In any case",
    "b c order",
    "c end order",
  ]);
  expect(graph.screens.map(({ isReachable }) => isReachable)).toEqual([true, false, true]);
  expect(graph.screens.map(marksOf)).toEqual([[], ["No path leads to this screen."], []]);
});

test("screens that may be passed over have arrows past them", () => {
  const graph = mapOf(screen("a"), screen("b", { show_if: [IOS] }), screen("c", { show_if: [IOS] }));
  expect(inShort(graph)).toEqual([
    "start a order",
    "a b order",
    "a c past",
    "a end past",
    "b c order",
    "b end past",
    "c end order",
  ]);
  expect(graph.screens[1]?.showIf).toBe("platform is iOS");
});

test("wrong rule draws no arrow", () => {
  const next = [
    { id: "r1", when: [], go_to: "a" },
    { id: "r2", when: [], go_to: "gone" },
  ];
  expect(inShort(mapOf(screen("a"), screen("b", { next })))).toEqual(["start a order", "a b order", "b end order"]);
});

test("60 screens with 40 rules stand in their order, and no box covers another box or a label", () => {
  const screens = Array.from({ length: 60 }, (_, place) =>
    screen(`s${place}`, {
      next:
        place % 3 === 2 ? [] : [{ id: "r1", when: [IOS], go_to: place > 50 ? "end" : `s${place + 2 + (place % 5)}` }],
    }),
  );
  const graph = mapOf(...screens);
  const { boxes, ways } = layoutOf(graph);
  const places = graph.screens.map(({ id }) => boxes.get(id)?.x ?? 0);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  const all = [...boxes.values()];
  const covers = (x: number, y: number, width: number, height: number) =>
    all.filter((box) => box.x < x + width && x < box.x + box.width && box.y < y + height && y < box.y + box.height);
  for (const { x, y, width, height } of all) {
    expect(covers(x, y, width, height)).toHaveLength(1);
  }
  for (const { id, label } of graph.arrows) {
    const { x, y } = ways.get(id)?.label ?? { x: 0, y: 0 };
    expect(label === "" ? [] : covers(x - 75, y - 8, 150, 16)).toEqual([]);
  }
  expect(boxes.get("s0")).toMatchObject(SCREEN_SIZE);
});

test.each([
  ["the first screen of a long map at the left", 100, 5000, 500],
  ["a screen amid a long map in the middle", 2000, 5000, 2064],
  ["the last screen of a long map at the right", 4800, 5000, 4500],
  ["a short map whole", 100, 600, 300],
])("the view shows %s", (_, x, mapWidth, expected) => {
  expect(centerOf({ x, width: 128 }, mapWidth, 1000)).toBe(expected);
});
