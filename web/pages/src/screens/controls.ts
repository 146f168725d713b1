/** Controls of pickers: a time, a number, a date, a choice of a list. Their values are lists of texts. */

import { type Child, h } from "../dom";
import { type Json, number, text } from "../flowDocument";
import { WORDS } from "../words";

/** A control with its value; `read` returns null while the value is not valid. */
export interface Control {
  element: HTMLElement;
  read(): string[] | null;
  /** The text of an error, and the element that has it. */
  problem?: string;
  invalid?: HTMLElement;
}

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

/** A number by a slider, by buttons, or typed. */
export function numberControl(content: Json, given: string | undefined, defaults: Range): Control {
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
export function dateControl(content: Json, given: string[]): Control {
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

export function range(least: number, most: number): string[] {
  return Array.from({ length: Math.max(0, most - least + 1) }, (_, index) => String(least + index));
}
