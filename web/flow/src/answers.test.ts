import { expect, it } from "vitest";
import { type Given, problemOf } from "./answers";
import type { Json } from "./json";
import { fieldProblem } from "./signup";

const CHOICES = ["a", "b", "c"];
const given = (answer: string | string[], unit?: string): Given => ({ answer, ...(unit ? { unit } : {}) });

it.each<[string, Json, Given, string | null]>([
  ["question_text", {}, null, null],
  ["question_text", { required: true }, null, "missing"],
  ["question_text", { required: true }, given("Ada"), null],
  ["question_single_choice", { options: CHOICES }, null, "choose"],
  ["question_single_choice", { options: CHOICES, required: false }, null, null],
  ["question_single_choice", { choices: CHOICES }, given("b"), null],
  ["question_single_choice", { options: CHOICES }, given("gone"), "choose"],
  ["question_single_choice", {}, null, null],
  ["question_multiple_choice", { options: CHOICES, min_selected: 2 }, given(["a"]), "too_few"],
  ["question_multiple_choice", { options: CHOICES, min_selected: 9 }, given(CHOICES), null],
  ["question_picker", { options: CHOICES }, null, "choose"],
  ["question_picker", { picker: "time" }, given([""]), "time"],
  ["question_picker", { picker: "time" }, given(["09:00"]), null],
  ["question_picker", { picker: "date" }, given(["February", "29", "2023"]), "date"],
  ["question_picker", { picker: "date" }, given(["February", "29", "2024"]), null],
  ["question_picker", { picker: "new" }, given([""]), "range"],
  ["question_picker", { picker: "number", max_value: 5 }, given(["6"]), "range"],
  ["question_picker", { picker: "height" }, given(["5", "11"], "imperial"), null],
  ["question_picker", { picker: "height" }, given(["5"], "metric"), "range"],
  ["question_picker", { picker: "weight", max_value: 90 }, given(["200"], "imperial"), null],
  ["welcome", { required: true }, null, null],
])("a %s with %j has for %j the problem %s", (type, content, answer, code) => {
  expect(problemOf({ id: "s", type, content, settings: {}, showIf: [], next: [] }, answer)?.code ?? null).toBe(code);
});

it.each([
  ["email", true, "", "email"],
  ["email", false, "", null],
  ["email", false, "ada@example", "email"],
  ["email", false, "ada@example.com", null],
  ["text", true, "", "missing"],
])("a field of type %s, required: %s, with %j has the problem %s", (type, isRequired, value, code) => {
  expect(fieldProblem({ type, isRequired }, value)?.code ?? null).toBe(code);
});
