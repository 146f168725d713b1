import { readDocument } from "@onboarding/flow/document";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { append } from "../dom";
import { singleChoice } from "./choices";
import type { ScreenView } from "./screen";

const submit = vi.fn();

/** Show a screen of a type, and return its view. */
function show(view: typeof singleChoice, screen: object, answer?: string | string[]): ScreenView {
  const flow = readDocument({ screens: [{ id: "s1", settings: {}, ...screen }] });
  const [shown] = flow.screens;
  const given = answer && { screenId: "s1", answerKey: "k", questionType: "", questionText: "", answer };
  const context = { screen: shown, flow, answer: given, hasApp: true, isDark: () => false, submit, press: vi.fn() };
  const made = view(context as unknown as Parameters<typeof singleChoice>[0]);
  document.body.textContent = "";
  append(document.body, made.content);
  return made;
}

const find = <Found extends Element = HTMLInputElement>(selector: string) => document.querySelector(selector) as Found;

beforeEach(() => {
  vi.useFakeTimers();
  submit.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a single choice that goes on by itself", () => {
  const goal = {
    type: "question_single_choice",
    content: { question: "Goal?", options: ["a", "b"] },
    settings: { auto_advance: true },
  };
  const option = (value: string) => find(`input[value=${value}]`);

  it("goes on once, after a pause, with the last option that is pressed", () => {
    const view = show(singleChoice, goal);
    option("a").click();
    vi.advanceTimersByTime(200);
    find("label:last-child").click();
    vi.advanceTimersByTime(200);
    expect(submit).not.toHaveBeenCalled();
    vi.advanceTimersByTime(100);
    expect(submit).toHaveBeenCalledOnce();
    expect(view.read?.()).toEqual({ answer: "b" });
  });

  it("goes on from the option that was chosen before, when it is pressed", () => {
    show(singleChoice, goal, "b");
    option("b").click();
    vi.runAllTimers();
    expect(submit).toHaveBeenCalledOnce();
  });

  it("stays at options that arrow keys choose, until one is pressed", () => {
    show(singleChoice, goal);
    option("a").click();
    const key = (type: string) =>
      option("a").dispatchEvent(new KeyboardEvent(type, { key: "ArrowDown", bubbles: true }));
    key("keydown");
    option("b").click();
    key("keyup");
    vi.runAllTimers();
    expect(submit).not.toHaveBeenCalled();
    option("b").click();
    vi.runAllTimers();
    expect(submit).toHaveBeenCalledOnce();
  });

  it.each([[{ auto_advance: false }], [{}]])("is one by its settings alone, not with %j", (settings) => {
    show(singleChoice, { ...goal, settings });
    option("a").click();
    vi.runAllTimers();
    expect(submit).not.toHaveBeenCalled();
  });

  it("sends nothing for a screen that was left meanwhile", () => {
    show(singleChoice, goal);
    option("a").click();
    document.body.textContent = "";
    vi.runAllTimers();
    expect(submit).not.toHaveBeenCalled();
  });
});
