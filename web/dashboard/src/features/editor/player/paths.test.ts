import { readDocument } from "@onboarding/flow/document";
import type { Json } from "@onboarding/flow/json";
import { withTrees } from "@onboarding/flow/parser";
import { expect, test } from "vitest";
import { pathsOf } from "./paths";

const when = (attribute: string, operator: string, value: unknown) => [{ attribute, operator, value }];
const welcome = (id: string, more: Json = {}): Json => ({ id, type: "welcome", content: {}, ...more });
const choice = (id: string, values: string[], more: Json = {}): Json => ({
  id,
  type: "question_single_choice",
  content: { answer_key: id, options: values.map((value) => ({ label: value, value })) },
  ...more,
});

function pathsIn(screens: Json[], variables: Json[] = [], context: Json = {}, choices: string[] = []) {
  const flow = readDocument({ screens, variables: withTrees(variables) });
  const { ways, isCut } = pathsOf(flow, context, () => choices);
  return { paths: ways.map(({ path }) => path.join(" ")), isCut, ways };
}

test("each option that a rule reads leads along its own path, with the answers that lead there", () => {
  const rules = [{ id: "r", when: when("answers.goal", "eq", "b"), goTo: "end" }];
  const { paths, ways, isCut } = pathsIn([choice("goal", ["a", "b", "c"], { next: rules }), welcome("s2")]);
  expect(paths).toEqual(["goal s2", "goal"]);
  expect(ways.map(({ answers }) => answers[0]?.answer)).toEqual(["a", "b"]);
  expect(isCut).toBe(false);
});

test("conditions that no answer meets make no path", () => {
  const showIf = [...when("answers.goal", "eq", "a"), ...when("answers.goal", "eq", "b")];
  expect(pathsIn([choice("goal", ["a", "b"]), welcome("s2", { showIf })]).paths).toEqual(["goal"]);
});

test("numbers are tried around the values of conditions, and at samples for formulas", () => {
  const weight = { id: "w", type: "question_picker", content: { picker: "weight", answer_key: "w" } };
  const direct = welcome("heavy", { showIf: when("answers.w", "gt", 150) });
  expect(pathsIn([weight, direct]).paths).toEqual(["w", "w heavy"]);
  const computed = welcome("heavy", { showIf: when("variables.double", "gte", 300) });
  const variables = [{ name: "double", formula: "answers.w * 2" }];
  expect(pathsIn([weight, computed], variables).paths).toEqual(["w", "w heavy"]);
});

test("sets of options, skipped questions and choices of the app are tried", () => {
  const many = { ...choice("tags", ["a", "b", "c"]), type: "question_multiple_choice" };
  const both = [...when("answers.tags", "contains", "a"), ...when("answers.tags", "contains", "b")];
  expect(pathsIn([many, welcome("s2", { showIf: both })]).paths).toEqual(["tags", "tags s2"]);
  const skippable = choice("goal", ["a"], { settings: { skippable: true } });
  expect(pathsIn([skippable, welcome("s2", { showIf: when("answers.goal", "not_exists", null) })]).paths).toEqual([
    "goal",
    "goal s2",
  ]);
  const asks = { id: "push", type: "permissions", content: {} };
  const granted = welcome("s2", { showIf: when("answers.push", "eq", "granted") });
  expect(pathsIn([asks, granted], [], {}, ["granted", "denied"]).paths).toEqual(["push s2", "push"]);
});

test("boxes of a consent that a rule reads are ticked and not ticked, required ones always", () => {
  const items = ["news", "ads"].map((name) => ({ name, label: name, required: name === "ads" }));
  const consent = { id: "terms", type: "consent", content: { items } };
  const shown = ["news", "ads"].map((name) => welcome(name, { showIf: when(`answers.${name}`, "eq", true) }));
  const { paths, ways } = pathsIn([consent, ...shown, welcome("no", { showIf: when("answers.ads", "eq", false) })]);
  expect(paths).toEqual(["terms news ads", "terms ads"]);
  expect(ways.map(({ answers }) => answers[0]?.answer)).toEqual([["ads", "news"], ["ads"]]);
});

test("the device decides conditions on it", () => {
  const ios = welcome("ios", { showIf: when("platform", "eq", "ios") });
  expect(pathsIn([ios, welcome("s2")], [], { platform: "ios" }).paths).toEqual(["ios s2"]);
  expect(pathsIn([ios, welcome("s2")], [], { platform: "android" }).paths).toEqual(["s2"]);
});

test("at most 200 paths are found, and more are said", () => {
  const screens = Array.from({ length: 8 }, (_, place) => [
    choice(`q${place}`, ["a", "b"]),
    welcome(`s${place}`, { showIf: when(`answers.q${place}`, "eq", "a") }),
  ]).flat();
  const { paths, isCut } = pathsIn(screens);
  expect([paths.length, isCut]).toEqual([200, true]);
});

test("many answers that lead along few paths are tried once for each path", () => {
  const screens = Array.from({ length: 20 }, (_, place) =>
    choice(`q${place}`, ["a", "b"], {
      next: [{ id: "r", when: when(`answers.q${place}`, "eq", "c"), goTo: "end" }],
    }),
  );
  const { paths, isCut } = pathsIn(screens);
  expect([paths.length, isCut]).toEqual([1, false]);
});
