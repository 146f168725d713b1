/** Pickers: time, number, date, height, weight, options. Answers are lists of texts, never numbers. */

import { options } from "../content";
import { type Child, h } from "../dom";
import { type Json, number, text } from "../flowDocument";
import { ErrorText } from "../frame";
import { WORDS } from "../words";
import { question, singleChoice } from "./choices";
import type { GivenAnswer, ScreenContext, ScreenView } from "./screen";

/** A control with its value; `read` returns null while the value is not valid. */
interface Control {
  element: HTMLElement;
  read(): string[] | null;
  /** The text of an error, and the element that has it. */
  problem?: string;
  invalid?: HTMLElement;
}

interface Measure {
  unit: "metric" | "imperial";
  label: string;
  make(given: string[]): Control;
}

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

/** Offer a value in both systems of units; the content or the answer chooses the first. */
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
        measure = entry;
        control = entry.make([]);
        error.show("", []);
        place.replaceChildren(control.element);
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
    },
  ];
}

function weights(content: Json): Measure[] {
  return [
    {
      unit: "metric",
      label: "kg",
      make: ([kilograms]) => numberControl(content, kilograms, { min: 30, max: 200, value: 70, unit: "kg" }),
    },
    {
      unit: "imperial",
      label: "lb",
      make: ([pounds]) => numberControl({}, pounds, { min: 66, max: 440, value: 154, unit: "lb" }),
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

function timeControl(value: string): Control {
  const input = h("input", { class: "field large", type: "time", "aria-labelledby": "heading", required: true });
  input.value = /^\d\d:\d\d/.test(value) ? value.slice(0, 5) : "09:00";
  return { element: input, read: () => (input.value ? [input.value] : null), problem: WORDS.time, invalid: input };
}

interface Range {
  min: number;
  max: number;
  value: number;
  unit: string;
}

/** A number by a slider, by buttons, or typed. */
function numberControl(content: Json, given: string | undefined, defaults: Range): Control {
  const least = number(content.min_value) ?? defaults.min;
  const most = Math.max(least, number(content.max_value) ?? Math.max(defaults.max, least + 100));
  const step = Math.abs(number(content.step) ?? 1) || 1;
  const clamp = (value: number) => Math.min(most, Math.max(least, value));
  const start = clamp(number(given, content.default_value) ?? defaults.value);
  const limits = { min: least, max: most, step };
  const field = h("input", {
    type: "number",
    class: "figure",
    inputmode: "decimal",
    "aria-labelledby": "heading",
    ...limits,
  });
  const slider = h("input", { type: "range", "aria-labelledby": "heading", ...limits });
  const set = (value: number) => {
    field.value = slider.value = String(Number(clamp(value).toFixed(4)));
  };
  set(start);
  field.addEventListener("input", () => {
    slider.value = field.value;
  });
  slider.addEventListener("input", () => set(Number(slider.value)));
  const nudge = (label: string, sign: string, by: number) =>
    h(
      "button",
      {
        type: "button",
        class: "round",
        "aria-label": label,
        click: () => {
          set(Number(field.value) + by);
          field.dispatchEvent(new Event("input", { bubbles: true }));
        },
      },
      sign,
    );
  return {
    element: h(
      "div",
      { class: "number" },
      h(
        "div",
        { class: "figures" },
        nudge(WORDS.less, "−", -step),
        h("div", { class: "reading" }, field, defaults.unit && h("span", { class: "unit" }, defaults.unit)),
        nudge(WORDS.more, "+", step),
      ),
      slider,
    ),
    read: () => {
      const value = Number(field.value);
      return field.value && value >= least && value <= most ? [String(value)] : null;
    },
    problem: WORDS.outside(least, most),
    invalid: field,
  };
}

/** A date by three lists, in the order of the page's language; the month is an English name in the answer. */
function dateControl(content: Json, given: string[]): Control {
  const language = document.documentElement.lang;
  const year = new Date().getFullYear();
  const standard = /^(\d{4})-(\d\d)-(\d\d)/.exec(text(content.default_value));
  const yearOf = (value: unknown, fallback: number) => Number.parseInt(text(value), 10) || fallback;
  const [least, most] = [yearOf(content.min_value, year - 100), yearOf(content.max_value, year + 1)];
  const names = (tag: string) =>
    range(0, 11).map((month) => new Date(2000, Number(month), 1).toLocaleDateString(tag, { month: "long" }));
  const english = names("en");
  const chosenMonth = given[0] ?? english[Number(standard?.[2] ?? 1) - 1];
  const month = select(WORDS.month, english, chosenMonth, names(language));
  const day = select(WORDS.day, range(1, 31), given[1] ?? String(Number(standard?.[3] ?? 1)));
  const years = range(Math.min(least, most), most).reverse();
  const wanted = given[2] ?? standard?.[1] ?? String(Math.min(most, Math.max(least, year - 30)));
  const yearPart = select(WORDS.year, years, wanted);
  const parts: Record<string, HTMLElement> = { month: month.part, day: day.part, year: yearPart.part };
  const order = new Intl.DateTimeFormat(language, { year: "numeric", month: "long", day: "numeric" })
    .formatToParts()
    .map((part) => parts[part.type])
    .filter((part) => part !== undefined);
  return {
    element: h("div", { class: "columns" }, ...order),
    read: () => {
      const lastDay = new Date(Number(yearPart.value()), english.indexOf(month.value()) + 1, 0).getDate();
      return Number(day.value()) <= lastDay ? [month.value(), day.value(), yearPart.value()] : null;
    },
    problem: WORDS.fill,
    invalid: day.control,
  };
}

function select(label: string, values: string[], chosen: string | undefined, labels: string[] = values) {
  const entries: Child[] = values.map((value, index) =>
    h("option", { value, selected: value === chosen }, labels[index] ?? value),
  );
  const control = h("select", { class: "field", "aria-label": label }, ...entries);
  const part = h(
    "div",
    { class: "column" },
    h("span", { class: "column-label", "aria-hidden": "true" }, label),
    control,
  );
  return { part, control, value: () => control.value };
}

function range(least: number, most: number): string[] {
  return Array.from({ length: Math.max(0, most - least + 1) }, (_, index) => String(least + index));
}
