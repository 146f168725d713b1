/** Controls of pickers for times, numbers, dates and lists. Their values are lists of texts. */

import { type Json, number, text } from "@onboarding/flow/json";
import { MONTHS, type NumberLimits } from "@onboarding/flow/pickers";
import { type Child, h } from "../dom";
import { WORDS } from "../words";
import { wheel } from "./wheel";

export interface Control {
  element: HTMLElement;
  read(): string[];
  /** The element to mark and focus while the value is not valid. */
  invalid?: HTMLElement;
}

/** Years before and after the present one that a list of years may have. */
const MAX_YEARS = 150;
/** A longer wheel takes too long to turn. */
const MAX_ROWS = 2_000;
const MINUTES = 60;
/** Numbers between these are years, which no slider is for. */
const [FIRST_YEAR, LAST_YEAR] = [1800, 2200];

/** Return the control of a time, by default 09:00: a wheel of hours, in the form of the language, and one of minutes. */
export function timeControl(value: string, language: string): Control {
  const input = h("input", { class: "figure", type: "time", "aria-labelledby": "heading", required: true });
  input.value = /^\d\d:\d\d/.test(value) ? value.slice(0, 5) : "09:00";
  const parts = () => input.value.split(":").map(Number) as [number, number];
  const show = () => {
    if (input.value) {
      hours.turn(parts()[0]);
      minutes.turn(parts()[1]);
    }
  };
  const set = (hour: number, minute: number) => {
    input.value = [hour, minute].map((part) => String(part).padStart(2, "0")).join(":");
    input.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const hourIn = (_: unknown, hour: number) =>
    new Date(2000, 0, 1, hour).toLocaleTimeString(language, { hour: "numeric" });
  const hours = wheel(Array.from({ length: 24 }, hourIn), (hour) => set(hour, parts()[1] || 0));
  const minutes = wheel(
    range(0, MINUTES - 1).map((minute) => minute.padStart(2, "0")),
    (minute) => set(parts()[0] || 0, minute),
  );
  input.addEventListener("input", show);
  show();
  const wheels = h("div", { class: "wheels", dir: "ltr" }, hours.element, minutes.element);
  return { element: h("div", { class: "spin" }, input, wheels), read: () => [input.value], invalid: input };
}

/** Return the control of a number: a wheel with a text field in its middle, a slider for the keyboard, and buttons. */
export function numberControl(numbers: NumberLimits, given: string | undefined, unit: string): Control {
  const { min, max, step } = numbers;
  const clamp = (value: number) => Math.min(max, Math.max(min, value));
  const written = (value: number) => String(Number(clamp(value).toFixed(4)));
  const limits = { min, max, step };
  const count = Math.floor((max - min) / step + 1e-9) + 1;
  const values = count <= MAX_ROWS ? Array.from({ length: count }, (_, row) => written(min + row * step)) : [];
  const field = h("input", {
    type: "number",
    class: "figure",
    inputmode: "decimal",
    "aria-labelledby": "heading",
    ...limits,
  });
  const isYear = min >= FIRST_YEAR && max <= LAST_YEAR;
  const slider =
    !isYear &&
    h("input", { type: "range", class: values.length > 0 && "over", "aria-labelledby": "heading", ...limits });
  const turned = wheel(
    values.map((value) => (unit ? `${value}\u00a0${unit}` : value)),
    (row) => change(values[row] ?? ""),
    () => field.focus(),
  );
  /** Show the value of the field, which may be between two rows, or none. */
  const show = () => {
    const row = values.indexOf(String(Number(field.value || Number.NaN)));
    field.toggleAttribute("data-typed", row < 0);
    if (row >= 0) {
      turned.turn(row);
    }
    if (slider) {
      slider.value = field.value;
    }
  };
  const change = (value: string) => {
    field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  field.addEventListener("input", show);
  if (slider) {
    slider.addEventListener("input", (event) => {
      event.stopPropagation();
      change(written(Number(slider.value)));
    });
  }
  field.value = written(number(given) ?? numbers.value);
  show();
  const stepButton = (label: string, sign: string, by: number) => {
    const click = () => change(written(Number(field.value) + by));
    return h("button", { type: "button", class: "round", "aria-label": label, click }, sign);
  };
  const reading =
    values.length > 0
      ? h("div", { class: "spin" }, field, slider, turned.element)
      : h("div", { class: "reading" }, field, unit && h("span", { class: "unit" }, unit));
  return {
    element: h(
      "div",
      { class: "number" },
      h("div", { class: "figures" }, stepButton(WORDS.less, "−", -step), reading, stepButton(WORDS.more, "+", step)),
      values.length === 0 && slider,
    ),
    read: () => [field.value && String(Number(field.value))],
    invalid: field,
  };
}

/**
 * Return the control of a date: three lists in the order of the language. The answer has the English name of the month.
 */
export function dateControl(content: Json, given: string[], language: string): Control {
  const standard = /^(\d{4})-(\d\d)-(\d\d)/.exec(text(content.default_value));
  const [min, max] = yearLimits(content);
  // Some languages have another calendar by default, but days and years here are Gregorian.
  const names = MONTHS.map((_, month) =>
    new Date(2000, month, 1).toLocaleDateString(language, { month: "long", calendar: "gregory" }),
  );
  const month = select(WORDS.month, MONTHS, given[0] ?? MONTHS[Number(standard?.[2] ?? 1) - 1], names);
  const day = select(WORDS.day, range(1, 31), given[1] ?? String(Number(standard?.[3] ?? 1)));
  const years = range(min, max).reverse();
  const wanted = given[2] ?? standard?.[1] ?? String(Math.min(max, Math.max(min, new Date().getFullYear() - 30)));
  const yearPart = select(WORDS.year, years, wanted);
  const parts: Record<string, HTMLElement> = { month: month.part, day: day.part, year: yearPart.part };
  const form = { year: "numeric", month: "long", day: "numeric", calendar: "gregory" } as const;
  const order = new Intl.DateTimeFormat(language, form)
    .formatToParts()
    .map((part) => parts[part.type])
    .filter((part) => part !== undefined);
  return {
    element: h("div", { class: "columns" }, ...order),
    read: () => [month.value(), day.value(), yearPart.value()],
    invalid: day.control,
  };
}

/** Return the first and the last year of a date. */
function yearLimits(content: Json): [number, number] {
  const year = new Date().getFullYear();
  const yearOf = (value: unknown, standard: number) =>
    Math.min(year + MAX_YEARS, Math.max(year - MAX_YEARS, Number.parseInt(text(value), 10) || standard));
  const [min, max] = [yearOf(content.min_value, year - 100), yearOf(content.max_value, year + 1)];
  return [Math.min(min, max), max];
}

/** Return a labelled wheel of values, with a list of them for keyboards and screen readers. */
export function select(label: string, values: readonly string[], chosen: string | undefined, labels = values) {
  const entries: Child[] = values.map((value, index) =>
    h("option", { value, selected: value === chosen }, labels[index] ?? value),
  );
  const control = h("select", { class: "over", "aria-label": label }, ...entries);
  const turned = wheel(labels, (index) => {
    control.selectedIndex = index;
    control.dispatchEvent(new Event("input", { bubbles: true }));
  });
  const show = () => turned.turn(control.selectedIndex);
  control.addEventListener("input", show);
  show();
  const part = h(
    "div",
    { class: "column" },
    h("span", { class: "column-label", "aria-hidden": "true" }, label),
    h("div", { class: "spin" }, control, turned.element),
  );
  return { part, control, value: () => control.value };
}

/** Return the integers from `min` to `max` as texts. */
export function range(min: number, max: number): string[] {
  return Array.from({ length: Math.max(0, max - min + 1) }, (_, index) => String(min + index));
}
