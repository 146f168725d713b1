import { expect, test } from "vitest";
import { formulaProblem } from "./formulaCheck";

const KNOWN = { earlier: ["earlier"], later: ["own", "later"] };

// The lists of tests/unit/common/rules/test_formulas.py.
test.each([
  "answers.weight / pow(answers.height / 100, 2)",
  'if(answers.goal == "lose", "a \\"b\\" \\\\", concat("x", 1))',
  'lookup(answers.a, "a", 1, "b", .5, 1e-3)',
  "not contains(answers.tags, attributes.tag) and true or platform != locale",
  "- -01 + round((1 + variables.earlier) * 2.50)",
  "answers.class\n+ answers.lambda",
  'today() < date_add("2026-01-31", 1, "month")',
  "not (1 < 2) and (1 < 2) == true",
])("%s is a formula", (formula) => {
  expect(formulaProblem(formula, KNOWN)).toBeNull();
});

test.each([
  ["", 1, "enter a value"],
  ["1 +", 3, "not a formula"],
  ["1 < 2 < 3", 7, "cannot be chained"],
  ["evil(1)", 1, "no function"],
  ["today(1)", 1, "cannot have 1 value"],
  ['lookup(answers.a, "a", 1)', 1, "cannot have 3 values"],
  ["1 + variables.later", 5, "is not computed before"],
  ["variables.own", 1, "is not computed before"],
  ["variables.unknown", 1, "variables.unknown is unknown"],
  ["deviceId", 1, "deviceId is unknown"],
  ["answers.a.b", 1, "is unknown"],
  ["max(1, )", 8, "a value is expected"],
  ["min(*answers.a)", 5, "not a formula"],
  ["(1, 2)", 3, "not a formula"],
  ["[1]", 1, "not expected"],
  ["answers.a = 1", 11, "not expected"],
  ["2 ** 2", 4, "not a formula"],
  ["'text'", 1, "not expected"],
  ['"open', 1, "not expected"],
  ["1_000", 1, "not expected"],
  ["1e999", 1, "too large"],
  ["1 if true else 2", 3, "if is unknown"],
  ['("max")(1)', 8, "not a formula"],
  [`${"- ".repeat(249)}1`, 1, "at most 200 parts"],
])("%s is wrong at character %i: %s", (formula, character, reason) => {
  const problem = formulaProblem(formula, KNOWN);
  expect(problem?.reason).toContain(reason);
  expect((problem?.position ?? -1) + 1).toBe(character);
});
