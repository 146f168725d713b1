/** Controls of pickers for times, numbers, dates and lists. Their values are lists of texts. */

import { type Json, number, text } from "@onboarding/flow/json";
import { MONTHS, type NumberLimits } from "@onboarding/flow/pickers";
import { type Child, h } from "../dom";
import { WORDS } from "../words";

export interface Control {
  element: HTMLElement;
  read(): string[];
  /** The element to mark and focus while the value is not valid. */
  invalid?: HTMLElement;
}

/** Years before and after the present one that a list of years may have. */
const MAX_YEARS = 150;
/** Return the control of a time, by default 09:00. */
export function timeControl(value: string): Control {
  const input = h("input", { class: "field large", type: "time", "aria-labelledby": "heading", required: true });
  input.value = /^\d\d:\d\d/.test(value) ? value.slice(0, 5) : "09:00";
  return { element: input, read: () => [input.value], invalid: input };
}

/** Return the control of a number: a slider, buttons and a text field. */
export function numberControl(numbers: NumberLimits, given: string | undefined, unit: string): Control {
  const { min, max, step } = numbers;
  const clamp = (value: number) => Math.min(max, Math.max(min, value));
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
  set(number(given) ?? numbers.value);
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
        h("div", { class: "reading" }, field, unit && h("span", { class: "unit" }, unit)),
        stepButton(WORDS.more, "+", step),
      ),
      slider,
    ),
    read: () => [field.value && String(Number(field.value))],
    invalid: field,
  };
}

/**
 * Return the control of a date: three lists in the order of the language. The answer has the English name of the month.
 */
export function dateControl(content: Json, given: string[]): Control {
  const language = document.documentElement.lang;
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

/** Return a labelled list of values. */
export function select(label: string, values: readonly string[], chosen: string | undefined, labels = values) {
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
