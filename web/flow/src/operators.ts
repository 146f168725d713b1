// Generated from common/rules/conditions.py by `make generate`; do not edit.

/** The operators of conditions, with the type of the value that each of them takes. */
export const OPERATORS = {
  eq: "scalar",
  neq: "scalar",
  in: "list",
  not_in: "list",
  contains: "text",
  starts_with: "text",
  ends_with: "text",
  gt: "number",
  gte: "number",
  lt: "number",
  lte: "number",
  semver_eq: "version",
  semver_gt: "version",
  semver_gte: "version",
  semver_lt: "version",
  semver_lte: "version",
  exists: "none",
  not_exists: "none",
} as const;
export type Operator = keyof typeof OPERATORS;
