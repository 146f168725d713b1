import { OPERATORS, type Operator } from "@onboarding/flow/operators";
import * as z from "zod/mini";
import type { Condition } from "@/api/schema";
import { conditionTexts } from "./texts";
import { CUSTOM_PREFIX } from "./words";

/** Stands for an attribute of the app in the choice of attributes; its name is typed beside it. */
export const CUSTOM = "custom";

export const DEVICE_ATTRIBUTES = ["platform", "appVersion", "osVersion", "country", "locale", "deviceId"] as const;

type Scalar = string | number | boolean;

/** The kinds of values of an app's attributes: equality compares the kind, too, so "12" is not 12. */
export const VALUE_TYPES = ["text", "number", "boolean"] as const;
export type ValueType = (typeof VALUE_TYPES)[number];

/** A condition as a row of the form. Values are as they are typed. */
export interface ConditionRow {
  key: string;
  attribute: string;
  /** The name of an attribute of the app. */
  name: string;
  operator: Operator;
  value: string;
  values: string[];
  /** The kind of the value of an app's attribute. */
  type: ValueType;
  /** The condition that the row was made from, until the row is changed. */
  stored?: Condition;
}

/** Return whether an operator takes no value, one value, or a list of them. */
export function valueKind(operator: Operator): "none" | "one" | "list" {
  const type = OPERATORS[operator];
  return type === "none" || type === "list" ? type : "one";
}

/** Return a new row for the platform, the condition that most flows begin with. */
export function newRow(): ConditionRow {
  const key = crypto.getRandomValues(new Uint32Array(2)).join("-");
  return { key, attribute: "platform", name: "", operator: "eq", value: "ios", values: [], type: "text" };
}

/** Return whether the value of a row can be of any kind: other attributes and operators say it themselves. */
export function isTyped({ attribute, operator }: Pick<ConditionRow, "attribute" | "operator">): boolean {
  const isDevice = (DEVICE_ATTRIBUTES as readonly string[]).includes(attribute);
  return !isDevice && (OPERATORS[operator] === "scalar" || OPERATORS[operator] === "list");
}

/** Return a stored condition as a row. */
export function rowOf(condition: Condition, place: number): ConditionRow {
  const isCustom = condition.attribute.startsWith(CUSTOM_PREFIX);
  const value: unknown = "value" in condition ? (condition.value ?? "") : "";
  const kinds = new Set([value].flat().map((item) => typeof item));
  const type = kinds.size !== 1 ? "text" : kinds.has("number") ? "number" : kinds.has("boolean") ? "boolean" : "text";
  return {
    key: String(place),
    attribute: isCustom ? CUSTOM : condition.attribute,
    name: isCustom ? condition.attribute.slice(CUSTOM_PREFIX.length) : "",
    operator: condition.operator,
    value: Array.isArray(value) ? "" : String(value),
    values: Array.isArray(value) ? value.map(String) : [],
    type,
    stored: condition,
  };
}

/** Return the condition of a row. */
export function conditionOf(row: ConditionRow): Condition {
  if (row.stored) {
    return row.stored;
  }
  const attribute = row.attribute === CUSTOM ? CUSTOM_PREFIX + row.name : row.attribute;
  const base = { attribute, operator: row.operator };
  const scalar = (text: string): Scalar => {
    const type = isTyped(row) ? row.type : OPERATORS[row.operator] === "number" ? "number" : "text";
    return type === "number" ? Number(text) : type === "boolean" ? text === "true" : text;
  };
  switch (valueKind(row.operator)) {
    case "none":
      return base as Condition;
    case "list":
      return { ...base, value: row.values.map(scalar) } as Condition;
    default:
      return { ...base, value: scalar(row.value) } as Condition;
  }
}

/** Return whether the value of a row is complete; the service checks its format. */
export function hasValue(row: ConditionRow): boolean {
  const isNumeric = OPERATORS[row.operator] === "number" || (isTyped(row) && row.type === "number");
  const isValid = (text: string) => text.trim() !== "" && (!isNumeric || Number.isFinite(Number(text)));
  switch (valueKind(row.operator)) {
    case "none":
      return true;
    case "list":
      return row.values.length > 0 && row.values.every(isValid);
    default:
      return isValid(row.value);
  }
}

/** The service takes at most this many conditions. */
export const MAX_CONDITIONS = 50;

/** The schema of rows. */
export const conditionRows = z.array(
  z.custom<ConditionRow>().check(
    z.refine((row) => row.attribute !== CUSTOM || row.name !== "", {
      path: ["name"],
      error: conditionTexts.nameMissing,
    }),
    z.refine(hasValue, { path: ["value"], error: conditionTexts.valueMissing }),
  ),
);

/** Return the fields of the rows, which are `conditions` of a form, by the service's names of the conditions. */
export function conditionFieldNames(conditions: string): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: MAX_CONDITIONS }, (_, place) => [`${conditions}.${place}`, `conditions.${place}.value`]),
  );
}

/** Return the value of an app's attribute: true, false and numbers are such; in quotes they are text. */
function scalarOf(text: string): Scalar {
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

/** Return the attributes of lines such as `plan = pro`; lines without a name or a value are left out. */
export function attributesOf(text: string): Record<string, Scalar> {
  const pairs = text.split("\n").flatMap((line) => {
    const [name = "", ...rest] = line.split("=");
    const value = rest.join("=").trim();
    return name.trim() && value ? [[name.trim(), scalarOf(value)] as const] : [];
  });
  return Object.fromEntries(pairs);
}
