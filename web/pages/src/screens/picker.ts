/** Pickers: time, number, date, height, weight, options. Answers are lists of texts, never numbers. */

import { problemOf } from "@onboarding/flow/answers";
import { type Json, text } from "@onboarding/flow/json";
import { CM_PER_INCH, KG_PER_POUND, numberLimits, pickerKind } from "@onboarding/flow/pickers";
import { h, replaceContent } from "../dom";
import { ErrorText } from "../frame";
import { WORDS } from "../words";
import { question, singleChoice } from "./choices";
import { type Control, dateControl, numberControl, range, select, timeControl } from "./controls";
import type { ScreenContext, ScreenView } from "./screen";

interface Measure {
  unit: "metric" | "imperial";
  label: string;
  make(given: string[]): Control;
  /** Return the value in this unit for a value in the other one. */
  convert(value: string[]): string[];
}

/** Return the view of a question with the control of its kind. */
export function picker(context: ScreenContext): ScreenView {
  const { content } = context.screen;
  const given = [context.answer?.answer ?? []].flat();
  const kind = pickerKind(content);
  switch (kind) {
    case "time":
      return withControl(context, timeControl(given[0] ?? text(content.default_value), context.language));
    case "date":
      return withControl(context, dateControl(content, given, context.language));
    case "height":
      return withMeasures(context, given, heights(content));
    case "weight":
      return withMeasures(context, given, weights(content));
    case "options":
      return optionPicker(context);
    default:
      return withControl(context, numberControl(numberLimits(content, kind), given[0], text(content.unit)));
  }
}

function withControl(context: ScreenContext, control: Control): ScreenView {
  const error = new ErrorText();
  control.element.addEventListener("input", () => error.show("", [control.invalid ?? control.element]));
  return {
    content: [...question(context), control.element, error.element],
    read: () => ({ answer: control.read() }),
    fail: (message) => showProblem(error, message, control),
  };
}

function showProblem(error: ErrorText, message: string, control: Control): void {
  error.show(message, [control.invalid ?? control.element]);
  control.invalid?.focus();
}

/** Return the view of a value in both systems of units. The answer or the content chooses the first one. */
function withMeasures(context: ScreenContext, given: string[], measures: Measure[]): ScreenView {
  const { screen, answer } = context;
  const wanted = unitSystem(text(answer?.unit, screen.content.unit));
  let measure = measures.find(({ unit }) => unit === wanted) as Measure;
  let control = measure.make(given);
  const error = new ErrorText();
  const place = h("div", { input: () => error.show("", control.invalid ? [control.invalid] : []) }, control.element);
  const switcher = h(
    "div",
    { class: "units", role: "radiogroup", "aria-label": WORDS.unit },
    ...measures.map((entry) => {
      const input = h("input", { type: "radio", name: "unit", checked: entry === measure });
      input.addEventListener("change", () => {
        const value = control.read();
        const isValid = problemOf(screen, { answer: value, unit: measure.unit }) === null;
        measure = entry;
        control = entry.make(isValid ? entry.convert(value) : []);
        error.show("", []);
        replaceContent(place, control.element);
      });
      return h("label", {}, input, h("span", {}, entry.label));
    }),
  );
  return {
    content: [...question(context), switcher, place, error.element],
    read: () => ({ answer: control.read(), unit: measure.unit }),
    fail: (message) => showProblem(error, message, control),
  };
}

/** Return the system of units of a height or a weight. */
function unitSystem(unit: unknown): "metric" | "imperial" {
  return ["imperial", "ft", "in", "lb", "lbs"].includes(text(unit).toLowerCase()) ? "imperial" : "metric";
}

function heights(content: Json): Measure[] {
  return [
    {
      unit: "metric",
      label: WORDS.centimetres,
      make: ([centimetres]) => numberControl(numberLimits(content, "height"), centimetres, WORDS.centimetres),
      convert: ([feet, inches]) => [String(Math.round((Number(feet) * 12 + Number(inches)) * CM_PER_INCH))],
    },
    {
      unit: "imperial",
      label: WORDS.feetInches,
      make: ([feet, inches]) => {
        const first = select(WORDS.feet, range(3, 8), feet ?? "5");
        const second = select(WORDS.inches, range(0, 11), inches ?? "7");
        return {
          element: h("div", { class: "columns" }, first.part, second.part),
          read: () => [first.value(), second.value()],
        };
      },
      convert: ([centimetres]) => {
        const inches = Math.round(Number(centimetres) / CM_PER_INCH);
        return [String(Math.floor(inches / 12)), String(inches % 12)];
      },
    },
  ];
}

function weights(content: Json): Measure[] {
  return [
    {
      unit: "metric",
      label: WORDS.kilograms,
      make: ([kilograms]) => numberControl(numberLimits(content, "weight"), kilograms, WORDS.kilograms),
      convert: ([pounds]) => [String(Math.round(Number(pounds) * KG_PER_POUND))],
    },
    {
      unit: "imperial",
      label: WORDS.pounds,
      make: ([pounds]) => numberControl(numberLimits(content, "weight", "imperial"), pounds, WORDS.pounds),
      convert: ([kilograms]) => [String(Math.round(Number(kilograms) / KG_PER_POUND))],
    },
  ];
}

function optionPicker(context: ScreenContext): ScreenView {
  const view = singleChoice(context);
  return {
    ...view,
    read: () => {
      const read = view.read?.();
      return read ? { answer: [read.answer].flat() } : read;
    },
  };
}
