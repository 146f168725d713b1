/** Controls of pickers for times, numbers, dates and lists. Their values are lists of texts. */

import { type Json, number, text } from "@onboarding/flow/json";
import { type Child, h } from "../dom";
import { WORDS } from "../words";

/** Years before and after the present one that a list of years may have. */
const MAX_YEARS = 150;

/** A control with its value; `read` returns null while the value is not valid. */
export interface Control {
  element: HTMLElement;
  read(): string[] | null;
  /** The message for an invalid value, and the element to mark and focus. */
  problem?: string;
  invalid?: HTMLElement;
}

/** Return the control of a time, by default 09:00. */
export function timeControl(value: string): Control {
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

/** Return the control of a number: a slider, buttons and a text field. */
export function numberControl(content: Json, given: string | undefined, defaults: Range): Control {
  const min = number(content.min_value) ?? defaults.min;
  const max = Math.max(min, number(content.max_value) ?? Math.max(defaults.max, min + 100));
  const step = Math.abs(number(content.step) ?? 1) || 1;
  const clamp = (value: number) => Math.min(max, Math.max(min, value));
  const start = clamp(number(given, content.default_value) ?? defaults.value);
  const limits = { min, max, step };
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
  const stepButton = (label: string, sign: string, by: number) =>
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
        stepButton(WORDS.less, "−", -step),
        h("div", { class: "reading" }, field, defaults.unit && h("span", { class: "unit" }, defaults.unit)),
        stepButton(WORDS.more, "+", step),
      ),
      slider,
    ),
    read: () => {
      const value = Number(field.value);
      return field.value && value >= min && value <= max ? [String(value)] : null;
    },
    problem: WORDS.outOfRange(min, max),
    invalid: field,
  };
}

/**
 * Return the control of a date: three lists in the order of the language. The answer has the English name of the month.
 */
export function dateControl(content: Json, given: string[]): Control {
  const language = document.documentElement.lang;
  const year = new Date().getFullYear();
  const standard = /^(\d{4})-(\d\d)-(\d\d)/.exec(text(content.default_value));
  const yearOf = (value: unknown, fallback: number) =>
    Math.min(year + MAX_YEARS, Math.max(year - MAX_YEARS, Number.parseInt(text(value), 10) || fallback));
  const [min, max] = [yearOf(content.min_value, year - 100), yearOf(content.max_value, year + 1)];
  // Some languages have another calendar by default, but days and years here are Gregorian.
  const names = (tag: string) =>
    range(0, 11).map((month) =>
      new Date(2000, Number(month), 1).toLocaleDateString(tag, { month: "long", calendar: "gregory" }),
    );
  const english = names("en");
  const chosenMonth = given[0] ?? english[Number(standard?.[2] ?? 1) - 1];
  const month = select(WORDS.month, english, chosenMonth, names(language));
  const day = select(WORDS.day, range(1, 31), given[1] ?? String(Number(standard?.[3] ?? 1)));
  const years = range(Math.min(min, max), max).reverse();
  const wanted = given[2] ?? standard?.[1] ?? String(Math.min(max, Math.max(min, year - 30)));
  const yearPart = select(WORDS.year, years, wanted);
  const parts: Record<string, HTMLElement> = { month: month.part, day: day.part, year: yearPart.part };
  const form = { year: "numeric", month: "long", day: "numeric", calendar: "gregory" } as const;
  const order = new Intl.DateTimeFormat(language, form)
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

/** Return a labelled list of values. */
export function select(label: string, values: string[], chosen: string | undefined, labels: string[] = values) {
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

/** Return the integers from `min` to `max` as texts. */
export function range(min: number, max: number): string[] {
  return Array.from({ length: Math.max(0, max - min + 1) }, (_, index) => String(min + index));
}
