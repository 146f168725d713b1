import { readDocument } from "@onboarding/flow/document";
import { withTrees } from "@onboarding/flow/parser";
import { valuesOf } from "@onboarding/flow/values";
import { expect, test } from "vitest";
import { answered, contextOfDevice, isAnswered, sessionOf, stepped } from "./play";

const goal = { attribute: "answers.goal", operator: "eq", value: "gain" };
const FLOW = readDocument(
  {
    screens: [
      {
        id: "goal",
        type: "question_single_choice",
        content: { answer_key: "goal", options: ["lose", "gain"] },
        next: [{ id: "r", when: [goal], goTo: "result" }],
      },
      { id: "weight", type: "question_picker", content: { picker: "weight", answer_key: "weight" } },
      {
        id: "pro",
        type: "welcome",
        content: {},
        showIf: [{ attribute: "attributes.plan", operator: "eq", value: "pro" }],
      },
      { id: "result", type: "welcome", content: { title: "{{variables.half:integer|?}} kg" } },
    ],
    variables: withTrees([{ name: "half", formula: "answers.weight / 2" }]),
  },
  true,
);
const NOBODY = contextOfDevice({});
const START = sessionOf(FLOW, NOBODY, {}).state;

test("an answer leads along its path, and another one of an earlier screen cuts the path there", () => {
  const lose = sessionOf(FLOW, NOBODY, answered(FLOW, START, "goal", "lose") ?? {}).state;
  const weighed = stepped(FLOW, NOBODY, lose, "next");
  expect(weighed.path).toEqual(["goal", "weight"]);
  const result = stepped(
    FLOW,
    NOBODY,
    sessionOf(FLOW, NOBODY, answered(FLOW, weighed, "weight", 90) ?? {}).state,
    "next",
  );
  expect(sessionOf(FLOW, NOBODY, { ...result }).screen?.content.title).toBe("45 kg");
  expect(valuesOf(FLOW, result, NOBODY)["variables.half"]).toBe(45);
  expect(stepped(FLOW, NOBODY, result, "next").isOver).toBe(true);
  const changed = sessionOf(FLOW, NOBODY, answered(FLOW, result, "goal", "gain") ?? {}).state;
  expect([changed.path, changed.screenId]).toEqual([["goal"], "goal"]);
  expect(stepped(FLOW, NOBODY, changed, "next").path).toEqual(["goal", "result"]);
});

test("the player takes the answers that the page takes, and no others", () => {
  const [first, second] = FLOW.screens;
  expect(answered(FLOW, START, "goal", "other")).toBeNull();
  expect(answered(FLOW, START, "weight", 80)).toBeNull();
  expect(first && isAnswered(first, START)).toBe(false);
  const atWeight = sessionOf(FLOW, NOBODY, answered(FLOW, START, "goal", "lose") ?? {}).state;
  expect(answered(FLOW, stepped(FLOW, NOBODY, atWeight, "next"), "weight", 1000)).toBeNull();
  expect(second?.id).toBe("weight");
});

test("a device has the attributes that are typed, and a language that is none is English", () => {
  const pro = contextOfDevice({ platform: "ios", locale: "not a language", attributes: "plan = pro\nage = 30" });
  expect(pro).toEqual({ platform: "ios", locale: "not a language", attributes: { plan: "pro", age: 30 } });
  const lose = sessionOf(FLOW, pro, answered(FLOW, START, "goal", "lose") ?? {}).state;
  const weighed = sessionOf(FLOW, pro, answered(FLOW, stepped(FLOW, pro, lose, "next"), "weight", 90) ?? {}).state;
  expect(stepped(FLOW, pro, weighed, "next").path).toEqual(["goal", "weight", "pro"]);
  const german = contextOfDevice({ locale: "de-DE" });
  const result = { path: ["goal", "weight", "result"], answers: weighed.answers };
  expect(sessionOf(FLOW, german, { ...result }).screen?.content.title).toBe("45 kg");
});
