/** Pickers: their kinds, limits, units and defaults. */

import { options, textOf } from "./content";
import { NAMES, PICKER_KINDS, type PickerKind as StoredPickerKind } from "./contents";
import { type Json, number } from "./json";

export type PickerKind = NonNullable<StoredPickerKind>;

export interface NumberLimits {
  min: number;
  max: number;
  step: number;
  /** The value without an answer. */
  value: number;
}

export const CM_PER_INCH = 2.54;
export const KG_PER_POUND = 0.45359237;
/** The least and the greatest number, and the one without an answer. */
const NUMBERS: Partial<Record<PickerKind, [number, number, number]>> = {
  height: [100, 230, 170],
  weight: [30, 200, 70],
};
/** The names of months in answers, in every language. */
export const MONTHS: readonly string[] = [
  ...["January", "February", "March", "April", "May", "June"],
  ...["July", "August", "September", "October", "November", "December"],
];

export function pickerKind(content: Json): PickerKind {
  const kind = textOf(content, NAMES.question_picker.picker).toLowerCase();
  const standard = !kind && options(content).length > 0 ? "options" : "number";
  return PICKER_KINDS.find((known) => known === kind) ?? standard;
}

/** Return the limits of a number. Members of a weight's content are kilograms. */
export function numberLimits(content: Json, kind: PickerKind, unit?: string): NumberLimits {
  if (kind === "weight" && unit === "imperial") {
    return { min: 66, max: 440, step: 1, value: 154 };
  }
  const [first, last, standard] = NUMBERS[kind] ?? [0, 100, 50];
  const min = number(content.min_value) ?? first;
  const max = Math.max(min, number(content.max_value) ?? Math.max(last, min + 100));
  const step = Math.abs(number(content.step) ?? 1) || 1;
  return { min, max, step, value: number(content.default_value) ?? standard };
}

/** Return whether month, day and year are a date of the Gregorian calendar. */
export function isDate([month, day, year]: readonly string[]): boolean {
  const lastDay = new Date(Number(year), MONTHS.indexOf(month ?? "") + 1, 0).getDate();
  return MONTHS.includes(month ?? "") && Number(day) >= 1 && Number(day) <= lastDay;
}
