import { expect, test } from "vitest";
import type { LogicCondition } from "@/api/schema";
import { copyOfScreen, type FlowDocument, type FlowScreen, moveScreen, removeScreen } from "../document";
import { changeInWords, documentChanges } from "../publish/changes";
import { namesOf, newRule, rulesInTheWay, type ScreenRule, withoutRules } from "./rules";
import { subjectsFor } from "./subjects";

const OPTIONS = [
  { label: "Lose weight", value: "lose" },
  { label: "Gain strength", value: "gain" },
];
const is = (value: string, attribute = "answers.goal"): LogicCondition => ({ attribute, operator: "eq", value });
const rule = (go_to: string, ...when: LogicCondition[]): ScreenRule => ({ id: `to_${go_to}`, when, go_to });

function screen(id: string, members: Partial<FlowScreen> = {}): FlowScreen {
  return { id, type: "welcome", name: id, content: {}, settings: {}, ...members };
}

function flow(...screens: FlowScreen[]): FlowDocument {
  const targeting = { percentage: 100, conditions: [] };
  return { name: "Plan", description: null, theme_id: null, targeting, screens };
}

const goal = (...next: ScreenRule[]) =>
  screen("Goal", { type: "question_single_choice", content: { answer_key: "goal", options: OPTIONS }, next });
const BRANCHING = flow(goal(rule("Weight", is("lose"))), screen("Food"), screen("Weight"));

function changes(before: FlowDocument, after: FlowDocument): string[] {
  return documentChanges(before, after).map((change) => changeInWords(change, namesOf(after, before)));
}

test("new rule compares the answer of its screen and leads to the next screen", () => {
  const document = flow(goal(), screen("Food"));
  expect(newRule(document, document.screens[0] as FlowScreen)).toEqual({
    id: "rule_1",
    when: [is("lose")],
    go_to: "Food",
  });
});

test("new rule without an answer to compare depends on the device, with a free id", () => {
  const document = flow(screen("Hello", { next: [{ ...rule("end"), id: "rule_2" }] }));
  expect(newRule(document, document.screens[0] as FlowScreen)).toMatchObject({
    id: "rule_3",
    when: [{ attribute: "platform" }],
    go_to: "end",
  });
});

test("rule is in the way of a move that leads it backward, and of the deletion of its target", () => {
  const moved = moveScreen(BRANCHING, "Weight", 0);
  const inTheWay = rulesInTheWay(BRANCHING, moved);
  expect(inTheWay).toMatchObject([{ screen: { id: "Goal" }, rule: { id: "to_Weight" }, isBackward: true }]);
  expect(withoutRules(moved, inTheWay).screens.map(({ id, next }) => [id, next])).toEqual([
    ["Weight", undefined],
    ["Goal", undefined],
    ["Food", undefined],
  ]);
  expect(rulesInTheWay(BRANCHING, removeScreen(BRANCHING, "Weight"))).toMatchObject([{ isBackward: false }]);
});

test("rule that is wrong already is not in the way again", () => {
  const wrong = flow(screen("Hello"), goal(rule("Hello", is("lose"))), screen("End"));
  expect(rulesInTheWay(wrong, moveScreen(wrong, "End", 0))).toEqual([]);
});

test("conditions read earlier answers, and rules the answer of their screen too", () => {
  const attributes = (place: "show_if" | "next") =>
    subjectsFor({ ...BRANCHING, variables: [{ name: "bmi", formula: "1" }] }, "Goal", place).map(
      ({ attribute }) => attribute,
    );
  expect(attributes("show_if")).toEqual(["variables.bmi"]);
  expect(attributes("next")).toEqual(["answers.goal", "variables.bmi"]);
});

test("copy of a question reads its own answer, and copies the answers of others", () => {
  const original = goal(rule("Weight", is("lose"), is("ios", "platform")));
  const copy = copyOfScreen(flow(original), original);
  expect(copy.next).toEqual([rule("Weight", is("lose", "answers.goal_2"), is("ios", "platform"))]);
  expect(original.next).toEqual([rule("Weight", is("lose"), is("ios", "platform"))]);
});

test("changes of rules are worded with the names of screens and options", () => {
  const plain = flow(goal(), screen("Food"), screen("Weight"));
  const toWeight = "if Goal is “Lose weight”, go to Weight";
  expect(changes(plain, BRANCHING)).toEqual([`From Goal: ${toWeight}`]);
  expect(changes(BRANCHING, plain)).toEqual([`From Goal: no longer ${toWeight}`]);
  const [first, second] = [rule("Weight", is("lose")), rule("end")];
  const both = flow(goal(first, second), screen("Food"), screen("Weight"));
  expect(changes(both, flow(goal(second, first), ...both.screens.slice(1)))).toEqual([
    `From Goal: the rules in this order: in any case, go to the end; ${toWeight}`,
  ]);
});

test("changes of conditions, progress and variables are worded", () => {
  const plain = flow(goal(), screen("Food"));
  const after = flow(goal(), screen("Food", { show_if: [is("gain")], settings: { counts: false } }));
  expect(changes(plain, after)).toEqual([
    "Food: shown only if Goal is “Gain strength”",
    "Food: does not count for the progress",
  ]);
  expect(changes(after, plain)).toEqual(["Food: always shown", "Food: counts for the progress"]);
  const variables = [{ name: "bmi", formula: "answers.weight" }];
  expect(changes(plain, { ...plain, variables })).toEqual(["Variable bmi is answers.weight"]);
  expect(changes({ ...plain, variables }, plain)).toEqual(["Variable bmi is gone"]);
});
