/** Pickers: time, number, date, height, weight, options. Answers are lists of texts, never numbers. */

import { options } from "@onboarding/flow/content";
import { type Json, text } from "@onboarding/flow/json";
import { h, replaceContent } from "../dom";
import { ErrorText } from "../frame";
import { WORDS } from "../words";
import { question, singleChoice } from "./choices";
import { type Control, dateControl, numberControl, range, select, timeControl } from "./controls";
import type { GivenAnswer, ScreenContext, ScreenView } from "./screen";

const CM_PER_INCH = 2.54;
const KG_PER_POUND = 0.45359237;

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
  switch (kindOf(content)) {
    case "time":
      return withControl(context, timeControl(given[0] ?? text(content.default_value)));
    case "date":
      return withControl(context, dateControl(content, given));
    case "height":
      return withMeasures(context, given, heights(content));
    case "weight":
      return withMeasures(context, given, weights(content));
    case "options":
      return optionPicker(context);
    default:
      return withControl(
        context,
        numberControl(content, given[0], { min: 0, max: 100, value: 50, unit: text(content.unit) }),
      );
  }
}

function kindOf(content: Json): string {
  const kind = text(content.picker, content.picker_type).toLowerCase();
  return kind || (options(content).length > 0 ? "options" : "number");
}

function withControl(context: ScreenContext, control: Control): ScreenView {
  const error = new ErrorText();
  control.element.addEventListener("input", () => error.show("", [control.invalid ?? control.element]));
  return {
    content: [...question(context), control.element, error.element],
    read: () => readControl(control, error),
  };
}

function readControl(control: Control, error: ErrorText): GivenAnswer | undefined {
  const answer = control.read();
  if (answer) {
    return { answer };
  }
  error.show(control.problem ?? WORDS.fill, [control.invalid ?? control.element]);
  control.invalid?.focus();
  return undefined;
}

/** Return the view of a value in both systems of units. The answer or the content chooses the first one. */
function withMeasures(context: ScreenContext, given: string[], measures: Measure[]): ScreenView {
  const wanted = text(context.answer?.unit, context.screen.content.unit).toLowerCase();
  const isImperial = ["imperial", "ft", "in", "lb", "lbs"].includes(wanted);
  let measure = (isImperial ? measures[1] : measures[0]) as Measure;
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
        measure = entry;
        control = entry.make(value ? entry.convert(value) : []);
        error.show("", []);
        replaceContent(place, control.element);
      });
      return h("label", {}, input, h("span", {}, entry.label));
    }),
  );
  return {
    content: [...question(context), switcher, place, error.element],
    read: () => {
      const read = readControl(control, error);
      return read ? { ...read, unit: measure.unit } : read;
    },
  };
}

function heights(content: Json): Measure[] {
  return [
    {
      unit: "metric",
      label: "cm",
      make: ([centimetres]) => numberControl(content, centimetres, { min: 100, max: 230, value: 170, unit: "cm" }),
      convert: ([feet, inches]) => [String(Math.round((Number(feet) * 12 + Number(inches)) * CM_PER_INCH))],
    },
    {
      unit: "imperial",
      label: "ft, in",
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
      label: "kg",
      make: ([kilograms]) => numberControl(content, kilograms, { min: 30, max: 200, value: 70, unit: "kg" }),
      convert: ([pounds]) => [String(Math.round(Number(pounds) * KG_PER_POUND))],
    },
    {
      unit: "imperial",
      label: "lb",
      make: ([pounds]) => numberControl({}, pounds, { min: 66, max: 440, value: 154, unit: "lb" }),
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
