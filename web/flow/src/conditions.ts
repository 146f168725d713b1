/** Conditions on a device and on answers: the operators of docs/bucketing.md, and lists, which answers alone have. */

import { type Json, list, memberOf, object, text } from "./json";
import type { Operator } from "./operators";

export interface Condition {
  attribute: string;
  operator: string;
  value?: unknown;
}

type Equal = (given: unknown, value: unknown) => boolean;
type Test = (given: unknown, value: unknown, equal: Equal) => boolean;

/** Names that a condition may have; others come from a newer service. */
const KNOWN = /^(?:(?:platform|appVersion|osVersion|locale|country|deviceId)$|(?:answers|attributes|variables)\.)/;

const NUMBER = "(0|[1-9]\\d*)";
const PART = "(?:0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*)";
const VERSION = new RegExp(
  `^${NUMBER}(?:\\.${NUMBER})?(?:\\.${NUMBER})?(?:-(${PART}(?:\\.${PART})*))?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`,
);

const CONTAINS = ofTexts((given, value) => given.includes(value));
const TESTS: Record<Operator, Test> = {
  eq: equals,
  neq: (given, value, equal) => !equals(given, value, equal),
  in: isIn,
  not_in: (given, value, equal) => !isIn(given, value, equal),
  contains: (given, value) => (Array.isArray(given) ? given.includes(value) : CONTAINS(given, value)),
  starts_with: ofTexts((given, value) => given.startsWith(value)),
  ends_with: ofTexts((given, value) => given.endsWith(value)),
  gt: ofNumbers((given, value) => given > value),
  gte: ofNumbers((given, value) => given >= value),
  lt: ofNumbers((given, value) => given < value),
  lte: ofNumbers((given, value) => given <= value),
  semver_eq: ofVersions((order) => order === 0),
  semver_gt: ofVersions((order) => order > 0),
  semver_gte: ofVersions((order) => order >= 0),
  semver_lt: ofVersions((order) => order < 0),
  semver_lte: ofVersions((order) => order <= 0),
  exists: () => true,
  not_exists: () => false,
};
/** The operators that a missing value passes. */
const PASSED_BY_NOTHING = ["neq", "not_in", "not_exists"];

/** Return the conditions of a list of any shape. */
export function readConditions(value: unknown): Condition[] {
  return list(value).map((entry) => {
    const { attribute, operator, value: wanted } = object(entry);
    return { attribute: text(attribute), operator: text(operator), value: wanted };
  });
}

/** Return whether a condition holds for values by their names. Unknown operators and attributes fail. */
export function holds({ attribute, operator, value }: Condition, values: Json): boolean {
  const test = memberOf(TESTS, operator);
  const given = memberOf(values, attribute);
  if (!test || !KNOWN.test(attribute)) {
    return false;
  }
  if (given === undefined || (Array.isArray(given) && given.length === 0)) {
    return PASSED_BY_NOTHING.includes(operator);
  }
  return test(given, value, equalOf(attribute));
}

function equals(given: unknown, value: unknown, equal: Equal): boolean {
  return Array.isArray(given) ? given.length === 1 && equal(given[0], value) : equal(given, value);
}

function isIn(given: unknown, value: unknown, equal: Equal): boolean {
  return [given].flat().some((one) => list(value).some((wanted) => equal(one, wanted)));
}

/** Return the equality of an attribute: languages and countries ignore the case of A to Z. */
function equalOf(attribute: string): Equal {
  if (attribute !== "locale" && attribute !== "country") {
    return (given, value) => given === value;
  }
  return ofTexts((given, value) => {
    const [own, wanted] = [lower(given), lower(value)];
    return own === wanted || (attribute === "locale" && own.startsWith(`${wanted}-`));
  });
}

function lower(value: string): string {
  return value.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function ofTexts(test: (given: string, value: string) => boolean): Equal {
  return (given, value) => typeof given === "string" && typeof value === "string" && test(given, value);
}

function ofNumbers(test: (given: number, value: number) => boolean): Equal {
  return (given, value) => typeof given === "number" && typeof value === "number" && test(given, value);
}

function ofVersions(test: (order: number) => boolean): Equal {
  return ofTexts((given, value) => {
    const [own, wanted] = [VERSION.exec(given), VERSION.exec(value)];
    return own !== null && wanted !== null && test(compareVersions(own, wanted));
  });
}

/** Return the order of two versions: negative, 0 or positive. Numbers may have any length. */
function compareVersions(one: RegExpExecArray, other: RegExpExecArray): number {
  for (const place of [1, 2, 3]) {
    const order = compareDigits(one[place] ?? "0", other[place] ?? "0");
    if (order !== 0) {
      return order;
    }
  }
  const [parts, others] = [one[4]?.split("."), other[4]?.split(".")];
  if (!parts || !others) {
    return Number(!parts) - Number(!others);
  }
  for (let place = 0; place < Math.min(parts.length, others.length); place += 1) {
    const order = comparePart(parts[place] ?? "", others[place] ?? "");
    if (order !== 0) {
      return order;
    }
  }
  return parts.length - others.length;
}

function comparePart(one: string, other: string): number {
  const [isNumber, isOther] = [/^\d+$/.test(one), /^\d+$/.test(other)];
  return isNumber && isOther
    ? compareDigits(one, other)
    : Number(isOther) - Number(isNumber) || compareTexts(one, other);
}

function compareDigits(one: string, other: string): number {
  return one.length - other.length || compareTexts(one, other);
}

function compareTexts(one: string, other: string): number {
  return Number(one > other) - Number(one < other);
}
