import { expect, it } from "vitest";
import type { Button } from "./content";
import { readDocument } from "./document";
import type { Json } from "./json";
import * as logic from "./logic";
import { readFormula } from "./parser";
import { FlowSession } from "./session";

const NEXT: Button = { label: "Go", action: "next", url: "" };
const is = (attribute: string, value: unknown, operator = "eq") => [{ attribute, operator, value }];
const GOAL = {
  id: "goal",
  type: "question_single_choice",
  content: { question: "Goal?", options: ["lose", "gain"], required: false },
};

function open(screens: Json[], { context = {}, stored = {} }: { context?: Json; stored?: Json } = {}) {
  const events: string[] = [];
  const host = {
    context,
    logic: { ...logic, fill: (...given: Parameters<logic.Logic["fill"]>) => logic.fill(...given, "en") },
    record: (type: string) => void events.push(type),
    ask: () => null,
  };
  const flow = readDocument({ screens: screens.map((screen) => ({ type: "welcome", ...screen })) });
  const session = new FlowSession(flow, host, stored);
  return { session, events, at: () => (session.state.isOver ? "end" : session.state.screenId) };
}

const BRANCHES = [
  { ...GOAL, next: [{ id: "r1", when: is("answers.goal", "gain"), goTo: "food" }] },
  { id: "weight", next: [{ id: "r1", when: [], goTo: "last" }] },
  { id: "food", showIf: is("answers.goal", "gain") },
  { id: "last" },
];

it("leads along two paths, and an answer off the path does not count", () => {
  const { session } = open(BRANCHES);
  session.press(NEXT, { answer: "lose" });
  session.press(NEXT);
  expect(session.state.path).toEqual(["goal", "weight", "last"]);
  session.back();
  session.back();
  session.press(NEXT, { answer: "gain" });
  expect(session.state).toMatchObject({ path: ["goal", "food"], ahead: [] });
});

it("does not read answers of screens that Back has left, and reads them on their return", () => {
  const { session } = open([{ id: "a" }, GOAL, { id: "b", showIf: is("answers.goal", "gain") }, { id: "c" }]);
  session.press(NEXT);
  session.press(NEXT, { answer: "gain" });
  expect(session.state.screenId).toBe("b");
  session.back();
  session.back();
  session.press(NEXT);
  session.press(NEXT);
  expect(session.state.screenId).toBe("b");
  session.back();
  session.skip();
  expect(session.state).toMatchObject({ screenId: "c", answers: [] });
});

it.each<[string, Json[], string]>([
  ["an end", [{ id: "a", next: [{ when: [], goTo: "end" }] }, { id: "b" }], "end"],
  ["no later screen", [{ id: "a", next: [{ when: [], goTo: "a" }] }, { id: "b" }], "b"],
  ["no screen of the flow", [{ id: "a", next: [{ when: [], goTo: "gone" }] }, { id: "b" }], "b"],
  [
    "the first rule that holds",
    [
      {
        id: "a",
        next: [
          { when: is("platform", "web"), goTo: "end" },
          { when: [], goTo: "c" },
          { when: [], goTo: "b" },
        ],
      },
      { id: "b" },
      { id: "c" },
    ],
    "c",
  ],
  [
    "a screen that is passed over, whose own rules are not read",
    [
      { id: "a", next: [{ when: [], goTo: "b" }] },
      { id: "b", showIf: is("country", "DE"), next: [{ when: [], goTo: "end" }] },
      { id: "c" },
    ],
    "c",
  ],
  ["screens that are all passed over", [{ id: "a" }, { id: "b", showIf: is("variables.x", 1) }], "end"],
])("follows a rule with %s", (_, screens, expected) => {
  const { session, at } = open(screens);
  session.press(NEXT);
  expect(at()).toBe(expected);
});

it("starts with the first screen that is shown, and is over without one", () => {
  const screens = [
    { id: "a", showIf: is("locale", "de") },
    { id: "b", showIf: is("attributes.plan", "pro") },
  ];
  const { session } = open(screens, { context: { locale: "de-AT" } });
  session.press(NEXT);
  expect(session.state).toMatchObject({ path: ["a"], isOver: true });
  expect(open(screens, { context: { attributes: { plan: "pro" } } }).session.state.path).toEqual(["b"]);
  const none = open(screens);
  none.session.start();
  expect([none.at(), none.events]).toEqual(["end", ["flow_started", "flow_completed"]]);
});

it.each<[string, Json, string | string[], string | undefined, string, unknown]>([
  ["question_multiple_choice", { options: ["x", "y"] }, ["y", "x"], undefined, "contains", "x"],
  ["question_picker", { picker: "number" }, ["6"], undefined, "eq", 6],
  ["question_picker", { picker: "height" }, ["5", "10"], "imperial", "gt", 177],
  ["question_picker", { picker: "weight" }, ["100"], "imperial", "lt", 46],
  ["question_picker", { picker: "date" }, ["June", "5", "1995"], undefined, "eq", "1995-06-05"],
  ["question_picker", { picker: "time" }, ["07:30"], undefined, "eq", "07:30"],
  ["question_picker", { options: ["x"] }, ["x"], undefined, "eq", "x"],
  ["signup", {}, "apple", undefined, "eq", "apple"],
  ["paywall", {}, "yearly", undefined, "in", ["yearly"]],
])("reads the answer of a %s with %j", (type, content, answer, unit, operator, value) => {
  const shown = { id: "b", showIf: is("answers.key", value, operator) };
  const { session, at } = open([{ id: "a", type, content: { ...content, answer_key: "key" } }, shown, { id: "c" }]);
  session.press(NEXT, { answer, ...(unit ? { unit } : {}) });
  expect(at()).toBe("b");
});

it("knows that an app was asked for a permission", () => {
  const { session, at } = open([
    { id: "p", type: "permissions", content: { permission: "camera" } },
    { id: "b", showIf: is("answers.p", "asked") },
    { id: "c" },
  ]);
  session.press({ ...NEXT, action: "request_permission" });
  expect(at()).toBe("b");
  session.back();
  session.skip();
  expect(at()).toBe("c");
});

it("keeps its path over a reload, and opens any screen of a preview on a way that leads there", () => {
  const { session } = open(BRANCHES);
  session.press(NEXT, { answer: "gain" });
  const stored = JSON.parse(JSON.stringify(session.state)) as Json;
  const again = open(BRANCHES, { stored }).session;
  expect(again.state.path).toEqual(["goal", "food"]);
  again.open("weight", true);
  expect(again.state.path).toEqual(["goal", "weight"]);
});

it("has a progress that does not shrink on the way forward", () => {
  const maybe = (id: string, goal: string) => ({ id, showIf: is("answers.goal", goal) });
  const uncounted = { id: "u", settings: { counts: false } };
  const { session } = open([{ id: "a" }, uncounted, GOAL, maybe("b", "gain"), maybe("c", "gain"), { id: "d" }]);
  const shares = [session.state.progress];
  for (const given of [undefined, undefined, { answer: "lose" }]) {
    session.press(NEXT, given);
    shares.push(session.state.progress);
  }
  expect(shares).toEqual([1 / 5, 1 / 5, 2 / 5, 1]);
  session.back();
  expect(session.state.progress).toBe(2 / 3);
});

it.each([
  ["1 - 2 - 3 * 4", ["-", ["-", 1, 2], ["*", 3, 4]]],
  ["-1 * (2 + 3)", ["*", ["-", 1], ["+", 2, 3]]],
  ["not 1 == 2 and true or false", ["or", ["and", ["not", ["==", 1, 2]], true], false]],
  ["not not answers.a", ["not", ["not", ["get", "answers.a"]]]],
  ['concat("a\\"b", today())', ["concat", 'a"b', ["today"]]],
])("parses %s", (formula, tree) => {
  expect(readFormula(formula)).toEqual(tree);
});

it.each([
  ["1 < 2 < 3", 6],
  ["1 + not true", 4],
  ["1 == not true", 5],
  ["max(1,)", 6],
  ["max(1 2)", 6],
  ["(1", 1],
  ["1 or", 3],
  ["true(1)", 4],
  ["1 (2)", 2],
  ["", 0],
])("refuses %s at character %i", (formula, position) => {
  expect(() => readFormula(formula)).toThrow(expect.objectContaining({ position }));
});
