import { readDocument } from "@onboarding/flow/document";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { append } from "../dom";
import { repaintPictures } from "../picture";
import { singleChoice } from "./choices";
import { picker } from "./picker";
import type { ScreenView } from "./screen";
import { signup } from "./signup";

const submit = vi.fn();
let isDark = false;

/** Show a screen of a type, and return its view. */
function show(view: typeof singleChoice, screen: object, answer?: string | string[]): ScreenView {
  const flow = readDocument({ screens: [{ id: "s1", settings: {}, ...screen }] });
  const [shown] = flow.screens;
  const given = answer && { screenId: "s1", answerKey: "k", questionType: "", questionText: "", answer };
  const context = { screen: shown, flow, answer: given, hasApp: true, isDark: () => isDark, submit, press: vi.fn() };
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

describe("a number", () => {
  const number = (content: object) => ({
    type: "question_picker",
    content: { question: "?", picker: "number", ...content },
  });
  const rows = () => [...document.querySelectorAll<HTMLElement>(".wheel > span")];

  it.each([
    ["a wheel with the keyboard of a slider", { min_value: 0, max_value: 2, step: 0.5, unit: "l" }, 5, 1],
    ["a wheel without a slider for a year", { min_value: 1930, max_value: 2015 }, 86, 0],
    ["a slider for more values than a wheel has", { min_value: 0, max_value: 5000 }, 0, 1],
  ])("has %s", (_, content, count, sliders) => {
    show(picker, number(content));
    expect(rows()).toHaveLength(count);
    expect(document.querySelectorAll("[type=range]")).toHaveLength(sliders);
  });

  it("is read from the row that is pressed, from the slider, the field or the buttons", () => {
    const view = show(picker, number({ min_value: 0, max_value: 2, step: 0.5, default_value: 1, unit: "l" }));
    const field = find("[type=number]");
    const answer = () => view.read?.();
    expect(rows().map(({ textContent }) => textContent)).toEqual(
      ["0", "0.5", "1", "1.5", "2"].map((one) => `${one}\u00a0l`),
    );
    vi.stubGlobal("matchMedia", () => ({ matches: true }));
    Element.prototype.scrollTo = () => undefined;
    rows()[3]?.click();
    expect(answer()).toEqual({ answer: ["1.5"] });
    find("[type=range]").value = "2";
    find("[type=range]").dispatchEvent(new Event("input"));
    expect(answer()).toEqual({ answer: ["2"] });
    find<HTMLButtonElement>("[aria-label=Less]").click();
    expect(answer()).toEqual({ answer: ["1.5"] });
    field.value = "1.7";
    field.dispatchEvent(new Event("input", { bubbles: true }));
    expect(answer()).toEqual({ answer: ["1.7"] });
    expect(field.hasAttribute("data-typed")).toBe(true);
  });
});

describe("the button of a brand", () => {
  it("has its logo and its colours, which follow the scheme of the page", () => {
    show(signup, {
      type: "signup",
      content: { providers: ["apple", { provider: "google", label: "Weiter mit Google" }, "email", "constructor"] },
    });
    const [apple, google, email, other] = [...document.querySelectorAll<HTMLElement>(".ways .button")];
    expect([apple, google].map((one) => one?.textContent)).toEqual(["Continue with Apple", "Weiter mit Google"]);
    expect([apple, google, email, other].map((one) => one?.querySelectorAll("path").length)).toEqual([1, 5, 1, 0]);
    const colors = () => [google?.style.background, google?.style.color];
    expect(colors()).toEqual(["rgb(255, 255, 255)", "rgb(31, 31, 31)"]);
    isDark = true;
    repaintPictures(document.body, true);
    expect(colors()).toEqual(["rgb(19, 19, 20)", "rgb(227, 227, 227)"]);
    isDark = false;
  });
});
