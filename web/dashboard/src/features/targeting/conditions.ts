import * as z from "zod/mini";
import type { Condition } from "@/api/schema";
import { texts } from "@/texts";
import { CUSTOM_PREFIX } from "./words";

/** Stands for an attribute of the app in the choice of attributes; its name is typed beside it. */
export const CUSTOM = "custom";

export const DEVICE_ATTRIBUTES = ["platform", "appVersion", "osVersion", "country", "locale", "deviceId"] as const;

export const OPERATORS = [
  "eq",
  "neq",
  "in",
  "not_in",
  "contains",
  "starts_with",
  "ends_with",
  "gt",
  "gte",
  "lt",
  "lte",
  "semver_eq",
  "semver_gt",
  "semver_gte",
  "semver_lt",
  "semver_lte",
  "exists",
  "not_exists",
] as const;
export type Operator = (typeof OPERATORS)[number];
type Scalar = string | number | boolean;

/** A condition as a row of the form. Values are as they are typed. */
export interface ConditionRow {
  key: string;
  attribute: string;
  /** The name of an attribute of the app. */
  name: string;
  operator: Operator;
  value: string;
  values: string[];
}

const NUMERIC: readonly string[] = ["gt", "gte", "lt", "lte"];
const TYPED: readonly string[] = ["eq", "neq", "in", "not_in"];

/** Return whether an operator takes no value, one value, or a list of them. */
export function valueKind(operator: Operator): "none" | "one" | "list" {
  if (operator === "exists" || operator === "not_exists") {
    return "none";
  }
  return operator === "in" || operator === "not_in" ? "list" : "one";
}

/** Return a new row for the platform, the condition that most flows begin with. */
export function newRow(): ConditionRow {
  return { key: crypto.randomUUID(), attribute: "platform", name: "", operator: "eq", value: "ios", values: [] };
}

/** Return a stored condition as a row. */
export function rowOf(condition: Condition, place: number): ConditionRow {
  const isCustom = condition.attribute.startsWith(CUSTOM_PREFIX);
  const value: unknown = "value" in condition ? condition.value : undefined;
  const typed = isCustom && TYPED.includes(condition.operator);
  const text = (item: unknown) => (typed ? textOf(item as Scalar) : String(item));
  return {
    key: String(place),
    attribute: isCustom ? CUSTOM : condition.attribute,
    name: isCustom ? condition.attribute.slice(CUSTOM_PREFIX.length) : "",
    operator: condition.operator,
    value: value === undefined || value === null || Array.isArray(value) ? "" : text(value),
    values: Array.isArray(value) ? value.map(text) : [],
  };
}

/** Return the condition of a row. */
export function conditionOf(row: ConditionRow): Condition {
  const isCustom = row.attribute === CUSTOM;
  const attribute = isCustom ? CUSTOM_PREFIX + row.name : row.attribute;
  const base = { attribute, operator: row.operator };
  const typed = isCustom && TYPED.includes(row.operator);
  const scalar = (text: string) => (typed ? scalarOf(text) : text);
  switch (valueKind(row.operator)) {
    case "none":
      return base as Condition;
    case "list":
      return { ...base, value: row.values.map(scalar) } as Condition;
    default:
      return { ...base, value: NUMERIC.includes(row.operator) ? Number(row.value) : scalar(row.value) } as Condition;
  }
}

/** Return whether the value of a row is complete; the service checks its format. */
export function hasValue(row: ConditionRow): boolean {
  switch (valueKind(row.operator)) {
    case "none":
      return true;
    case "list":
      return row.values.length > 0;
    default:
      return row.value.trim() !== "" && (!NUMERIC.includes(row.operator) || Number.isFinite(Number(row.value)));
  }
}

/** The service takes at most this many conditions. */
export const MAX_CONDITIONS = 50;

/** The schema of rows. */
export const conditionRows = z.array(
  z.custom<ConditionRow>().check(
    z.refine((row) => row.attribute !== CUSTOM || row.name !== "", {
      path: ["name"],
      error: texts.targeting.nameMissing,
    }),
    z.refine(hasValue, { path: ["value"], error: texts.targeting.valueMissing }),
  ),
);

/** Return the fields of the rows, which are `conditions` of a form, by the service's names of the conditions. */
export function conditionFieldNames(conditions: string): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: MAX_CONDITIONS }, (_, place) => [`${conditions}.${place}`, `conditions.${place}.value`]),
  );
}

/** Return the value of an app's attribute: true, false and numbers are such; in quotes they are text. */
export function scalarOf(text: string): Scalar {
  if (/^(true|false|-?\d+(\.\d+)?|".*")$/.test(text)) {
    try {
      return JSON.parse(text) as Scalar;
    } catch {
      // Such as 007, which is text.
      return text;
    }
  }
  return text;
}

/** Return the text that `scalarOf` reads as a value. */
function textOf(value: Scalar): string {
  return typeof value === "string" && scalarOf(value) !== value ? JSON.stringify(value) : String(value);
}

/** Return the attributes of lines such as `plan = pro`; lines without a name or a value are left out. */
export function attributesOf(text: string): Record<string, Scalar> {
  const pairs = text.split("\n").flatMap((line) => {
    const [name = "", ...rest] = line.split("=");
    const value = rest.join("=").trim();
    return name.trim() && value ? [[name.trim(), scalarOf(value)] as const] : [];
  });
  return Object.fromEntries(pairs);
}
