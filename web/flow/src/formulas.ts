/** The values of formulas, which come as trees: their parser is not needed on a device (docs/logic.md). */

import { type Json, memberOf, text } from "./json";

/** A text, a number, a boolean, or a list of an operator or a function and its arguments; `get` has a name. */
export type Tree = string | number | boolean | Tree[];

/** A function gets arguments that are not missing. It returns undefined for arguments of a wrong type. */
type Evaluated = (...given: never[]) => unknown;

const DAY_MS = 86_400_000;
const MAX_DIGITS = 15;

const FUNCTIONS: Record<string, Evaluated> = {
  "+": numbers((x: number, y: number) => x + y),
  "-": numbers((x: number, y?: number) => (y === undefined ? -x : x - y)),
  "*": numbers((x: number, y: number) => x * y),
  "/": numbers((x: number, y: number) => x / y),
  "==": same,
  "!=": (one: unknown, other: unknown) => !same(one, other),
  "<": ordered((one, other) => one < other),
  "<=": ordered((one, other) => one <= other),
  ">": ordered((one, other) => one > other),
  ">=": ordered((one, other) => one >= other),
  and: booleans((given) => given.every(Boolean)),
  or: booleans((given) => given.some(Boolean)),
  not: booleans(([given]) => !given),
  round: numbers(round),
  floor: numbers(Math.floor),
  ceil: numbers(Math.ceil),
  abs: numbers(Math.abs),
  min: numbers(Math.min),
  max: numbers(Math.max),
  pow: numbers((x: number, y: number) => x ** y),
  contains,
  count: (given: unknown) => (Array.isArray(given) ? given.length : undefined),
  concat: (...given: unknown[]) => (given.some(Array.isArray) ? undefined : given.join("")),
  lookup: (value: unknown, ...pairs: unknown[]) =>
    pairs.find((_, place) => place % 2 > 0 && same(pairs[place - 1], value)) ?? pairs[pairs.length - 1],
  date_add: dateAdd,
  days_between: (from: unknown, to: unknown) => (timeOf(to) - timeOf(from)) / DAY_MS,
};

/** Return the value of a tree for values by their names; undefined if it is missing. */
export function evaluate(tree: unknown, values: Json): unknown {
  if (!Array.isArray(tree)) {
    return tree;
  }
  const [name, ...parts] = tree as unknown[];
  const read = (part: unknown) => evaluate(part, values);
  switch (name) {
    case "get":
      return memberOf(values, text(parts[0])) ?? undefined;
    case "today":
      return values.today;
    case "if": {
      const condition = read(parts[0]);
      return typeof condition === "boolean" ? read(parts[condition ? 1 : 2]) : undefined;
    }
    case "coalesce":
      return parts.reduce((found, part) => found ?? read(part), undefined);
  }
  const given = parts.map(read);
  const operate = memberOf(FUNCTIONS, text(name));
  const value = operate && !given.includes(undefined) ? operate(...(given as never[])) : undefined;
  // The sum turns -0 into 0.
  return typeof value !== "number" ? value : Number.isFinite(value) ? value + 0 : undefined;
}

/** Return the names that a tree reads. */
export function namesIn(tree: unknown): string[] {
  if (!Array.isArray(tree)) {
    return [];
  }
  return tree[0] === "get" ? [text(tree[1])] : tree.flatMap(namesIn);
}

/** Return the time of a date `YYYY-MM-DD`; NaN for everything else. */
export function timeOf(date: unknown): number {
  const time = Date.parse(String(date));
  return dateOf(time) === date ? time : Number.NaN;
}

/** Return the date of a time; undefined outside of the years 1 to 9999. */
function dateOf(time: number): string | undefined {
  const iso = Math.abs(time) < 1e15 ? new Date(time).toISOString() : "";
  return iso.length === 24 && iso > "0001" ? iso.slice(0, 10) : undefined;
}

function dateAdd(date: unknown, count: number, unit: unknown): string | undefined {
  const days = memberOf<number>({ day: 1, week: 7, month: 0 }, text(unit));
  const time = timeOf(date);
  if (days === undefined || !Number.isInteger(count)) {
    return undefined;
  }
  if (days > 0) {
    return dateOf(time + count * days * DAY_MS);
  }
  const found = new Date(time);
  const day = found.getUTCDate();
  found.setUTCMonth(found.getUTCMonth() + count, day);
  if (found.getUTCDate() !== day) {
    // A shorter month: its last day.
    found.setUTCDate(0);
  }
  return dateOf(found.getTime());
}

/** Return a number that is rounded half away from zero. Negative digits are places before the decimal point. */
function round(x: number, digits = 0): number {
  const scale = Number(`1e${Math.abs(digits)}`);
  const scaled = Math.floor((digits < 0 ? Math.abs(x) / scale : Math.abs(x) * scale) + 0.5);
  const isValid = Number.isInteger(digits) && Math.abs(digits) <= MAX_DIGITS;
  return isValid ? Math.sign(x) * (digits < 0 ? scaled * scale : scaled / scale) : Number.NaN;
}

function contains(given: unknown, value: unknown): boolean | undefined {
  if (Array.isArray(given)) {
    return given.some((one) => same(one, value));
  }
  return typeof given === "string" && typeof value === "string" ? given.includes(value) : undefined;
}

/** Return whether two values have the same type and are equal; lists have equal values in one order. */
function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function numbers(of: (...given: never[]) => number): Evaluated {
  return (...given: unknown[]) =>
    given.every((one) => typeof one === "number") ? of(...(given as never[])) : undefined;
}

function booleans(of: (given: unknown[]) => boolean): Evaluated {
  return (...given: unknown[]) => (given.every((one) => typeof one === "boolean") ? of(given) : undefined);
}

/** Numbers have an order, and texts have one by their UTF-16 code units, which is that of dates. */
function ordered(of: (one: string, other: string) => boolean): Evaluated {
  return (one: unknown, other: unknown) =>
    typeof one === typeof other && /^[ns]/.test(typeof one) ? of(one as string, other as string) : undefined;
}
