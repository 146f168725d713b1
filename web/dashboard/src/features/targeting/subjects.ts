import type { ConditionRow, Operator } from "./conditions";

export interface Choice {
  value: string;
  label: string;
}

/** The kinds of values that conditions read; `any` is the value of a formula. */
export type SubjectKind = "choice" | "choices" | "number" | "text" | "date" | "time" | "any";

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

const PRESENCE: readonly Operator[] = ["exists", "not_exists"];
const SIZES: readonly Operator[] = ["gt", "gte", "lt", "lte"];
const OPERATORS_OF: Record<SubjectKind, readonly Operator[]> = {
  choice: ["eq", "neq", "in", "not_in", ...PRESENCE],
  choices: ["contains", "in", "not_in", "eq", "neq", ...PRESENCE],
  number: ["eq", "neq", ...SIZES, ...PRESENCE],
  text: ["eq", "neq", "in", "not_in", "contains", "starts_with", "ends_with", ...PRESENCE],
  date: ["eq", "neq", ...PRESENCE],
  time: ["eq", "neq", ...PRESENCE],
  any: ["eq", "neq", "in", "not_in", ...SIZES, "contains", ...PRESENCE],
};

/** Return the operators for the values of a subject. */
export function operatorsOf({ kind }: Subject): readonly Operator[] {
  return OPERATORS_OF[kind];
}

/** Return the members of a new condition on a subject. It is complete, so that it can be saved at once. */
export function conditionOn({ attribute, kind, options, standard = "" }: Subject): Partial<ConditionRow> {
  const [first] = options;
  const row = { attribute, name: "", values: [], type: kind === "number" ? ("number" as const) : ("text" as const) };
  if (first && (kind === "choice" || kind === "choices")) {
    return { ...row, operator: kind === "choice" ? "eq" : "contains", value: first.value };
  }
  return standard ? { ...row, operator: "gte", value: standard } : { ...row, operator: "exists", value: "" };
}
