import { expect, test } from "vitest";
import { conditionOf, hasValue, newRow } from "@/features/audience/conditions";
import { conditionOn, operatorsOf } from "@/features/audience/subjects";
import { conditionInWords } from "@/features/audience/words";
import type { FlowDocument, FlowScreen } from "../document";
import { answerSubject, subjectsFor } from "./subjects";

function subjectOf(type: string, content: Record<string, unknown> = {}) {
  const subject = answerSubject({ id: "screen_1", type, name: "Goal", content, settings: {} } as FlowScreen);
  if (subject === null) {
    throw new Error(`${type} asks nothing`);
  }
  return subject;
}

const OPTIONS = { answer_key: "goal", options: [{ label: "Lose weight", value: "lose" }, "gain"] };

test.each([
  ["question_single_choice", OPTIONS, { attribute: "answers.goal", operator: "eq", value: "lose" }],
  ["question_multiple_choice", OPTIONS, { attribute: "answers.goal", operator: "contains", value: "lose" }],
  ["question_picker", { picker: "weight" }, { attribute: "answers.screen_1", operator: "gte", value: 70 }],
  ["question_picker", { ...OPTIONS, picker: "options" }, { attribute: "answers.goal", operator: "eq", value: "lose" }],
  ["question_picker", { picker: "date" }, { attribute: "answers.screen_1", operator: "exists" }],
  ["question_text", {}, { attribute: "answers.screen_1", operator: "exists" }],
  ["permissions", {}, { attribute: "answers.screen_1", operator: "eq", value: "granted" }],
  ["signup", {}, { attribute: "answers.screen_1", operator: "eq", value: "email" }],
  ["paywall", { products: [{ product_id: "pro", label: "Pro" }] }, { operator: "eq", value: "pro" }],
])("new condition on the answer of %s with %j is complete", (type, content, condition) => {
  const subject = subjectOf(type, content);
  const row = { ...newRow(), ...conditionOn(subject) };
  expect(hasValue(row)).toBe(true);
  expect(conditionOf(row)).toMatchObject(condition);
  expect(operatorsOf(subject)).toContain(row.operator);
});

test("screen that asks nothing has no answer", () => {
  expect(answerSubject({ id: "screen_1", type: "welcome", name: null, content: {}, settings: {} })).toBeNull();
});

test("each box of a consent is a subject of its own, which is true or false", () => {
  const items = [{ name: "news", label: "Send me news" }, "terms"];
  const consent = { id: "s1", type: "consent", name: "Consent", content: { items }, settings: {} };
  const document = { screens: [consent], variables: [] } as unknown as FlowDocument;
  const [news, terms] = subjectsFor(document, "s1", "next");
  expect([news?.label, terms?.attribute]).toEqual(["Send me news", "answers.terms"]);
  const row = { ...newRow(), ...conditionOn(news as NonNullable<typeof news>) };
  expect(conditionOf(row)).toEqual({ attribute: "answers.news", operator: "eq", value: true });
});

test("number of an answer is compared as a number by every operator", () => {
  const row = { ...newRow(), ...conditionOn(subjectOf("question_picker", { picker: "number" })), value: "30" };
  expect(conditionOf({ ...row, operator: "eq" })).toMatchObject({ value: 30 });
  expect(conditionOf({ ...row, operator: "lt" })).toMatchObject({ value: 30 });
});

test("conditions on answers are worded with the labels of options", () => {
  const words = (type: string, operator: string, value: unknown) =>
    conditionInWords({ attribute: "answers.goal", operator, value } as never, [subjectOf(type, OPTIONS)]);
  expect(words("question_single_choice", "eq", "lose")).toBe("Goal is “Lose weight”");
  expect(words("question_single_choice", "in", ["lose", "gone"])).toBe("Goal is “Lose weight” or “gone”");
  expect(words("question_multiple_choice", "contains", "gain")).toBe("Goal includes “gain”");
  expect(words("question_multiple_choice", "not_in", ["gain"])).toBe("Goal does not include “gain”");
});
