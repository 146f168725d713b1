import { OPERATORS, type Operator } from "@onboarding/flow/operators";
import type { ConditionRow } from "./conditions";

export interface Choice {
  value: string;
  label: string;
}

/** The kinds of values that conditions read; `any` is the value of a formula. */
export type SubjectKind = "choice" | "choices" | "number" | "text" | "date" | "time" | "flag" | "any";

/** An answer or a variable of a flow, which conditions of its screens can read. */
export interface Subject {
  attribute: string;
  /** For people: the name of the screen that asks, or of the variable. */
  label: string;
  kind: SubjectKind;
  options: readonly Choice[];
  /** The value of a new condition on a number. */
  standard?: string;
}

const ALL: readonly SubjectKind[] = ["choice", "choices", "number", "text", "date", "time", "flag", "any"];
const SUBJECTS_OF: Record<Operator, readonly SubjectKind[]> = {
  eq: ALL,
  neq: ALL,
  in: ["choice", "choices", "text", "any"],
  not_in: ["choice", "choices", "text", "any"],
  contains: ["choices", "text", "any"],
  starts_with: ["text"],
  ends_with: ["text"],
  gt: ["number", "any"],
  gte: ["number", "any"],
  lt: ["number", "any"],
  lte: ["number", "any"],
  semver_eq: [],
  semver_gt: [],
  semver_gte: [],
  semver_lt: [],
  semver_lte: [],
  exists: ALL,
  not_exists: ALL,
};
export const OPERATOR_NAMES = Object.keys(OPERATORS) as Operator[];

/** Return the operators for the values of a subject. */
export function operatorsOf({ kind }: Subject): readonly Operator[] {
  const names = OPERATOR_NAMES.filter((name) => SUBJECTS_OF[name].includes(kind));
  // A condition on a list mostly asks for one of its values.
  return kind === "choices" ? [...new Set<Operator>(["contains", ...names])] : names;
}

/** Return the members of a new condition on a subject. It is complete, so that it can be saved at once. */
export function conditionOn({ attribute, kind, options, standard = "" }: Subject): Partial<ConditionRow> {
  const [first] = options;
  const row = { attribute, name: "", values: [], type: kind === "number" ? ("number" as const) : ("text" as const) };
  if (first && (kind === "choice" || kind === "choices")) {
    return { ...row, operator: kind === "choice" ? "eq" : "contains", value: first.value };
  }
  if (kind === "flag") {
    return { ...row, operator: "eq", value: "true", type: "boolean" };
  }
  return standard ? { ...row, operator: "gte", value: standard } : { ...row, operator: "exists", value: "" };
}
