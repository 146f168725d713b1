/** The check of formulas while they are typed. The service checks the same (common/rules/formulas.py). */

import type { Tree } from "@onboarding/flow/formulas";
import { FormulaError, readFormula, type Token, tokensOf } from "@onboarding/flow/parser";
import { variableTexts } from "./texts";

const words = variableTexts.formulas;

export const MAX_FORMULA_LENGTH = 500;
const MAX_PARTS = 200;
/** The members of a device that a formula can read. */
export const DEVICE_NAMES = ["platform", "appVersion", "osVersion", "locale", "country"];
/** The arguments of each function, and their least and greatest number. */
export const FUNCTIONS: Readonly<Record<string, readonly [string, number, number]>> = {
  if: ["condition, a, b", 3, 3],
  round: ["x, digits", 1, 2],
  floor: ["x", 1, 1],
  ceil: ["x", 1, 1],
  abs: ["x", 1, 1],
  min: ["a, b", 1, Infinity],
  max: ["a, b", 1, Infinity],
  pow: ["x, y", 2, 2],
  contains: ["list, value", 2, 2],
  count: ["list", 1, 1],
  coalesce: ["a, b", 1, Infinity],
  concat: ["a, b", 1, Infinity],
  lookup: ['value, "a", 1, default', 4, Infinity],
  today: ["", 0, 0],
  date_add: ['date, n, "day"', 3, 3],
  days_between: ["a, b", 2, 2],
};
const COMPARISONS = new Set(["==", "!=", "<", "<=", ">", ">="]);
const LOGICAL = new Set(["and", "or", "not"]);
const CONSTANTS = new Set(["true", "false"]);

/** Where a formula is wrong, from 0, and why. */
export interface FormulaProblem {
  position: number;
  reason: string;
}

/** The names of the variables in front of a formula, and those of its own variable and the further ones. */
export interface KnownVariables {
  earlier: readonly string[];
  later: readonly string[];
}

/** Return why a formula cannot be saved; null for a good one. */
export function formulaProblem(formula: string, known: KnownVariables): FormulaProblem | null {
  if (formula.trim() === "") {
    return { position: 0, reason: words.empty };
  }
  if (formula.length > MAX_FORMULA_LENGTH) {
    return { position: MAX_FORMULA_LENGTH, reason: words.long(MAX_FORMULA_LENGTH) };
  }
  try {
    const tokens = tokensOf(formula).filter(({ kind }) => kind !== "space");
    // A name that is typed to its half is more helpful than the end that it breaks.
    const problem = problemOfTokens(tokens, known);
    const tree = problem ?? readFormula(formula);
    return problem ?? (partsOf(tree as Tree) > MAX_PARTS ? { position: 0, reason: words.parts(MAX_PARTS) } : null);
  } catch (error) {
    if (!(error instanceof FormulaError)) {
      throw error;
    }
    const { position, isCharacter } = error;
    return { position, reason: isCharacter ? words.character(formula.charAt(position)) : words.syntax };
  }
}

/** An open parenthesis: the function in front of it, and what has been read of its arguments. */
interface Level {
  call: Token | null;
  commas: number;
  isCompared: boolean;
}

/** Return the first problem that tokens show without a tree: functions, their arguments, names and comparisons. */
function problemOfTokens(tokens: readonly Token[], known: KnownVariables): FormulaProblem | null {
  const levels: Level[] = [{ call: null, commas: 0, isCompared: false }];
  for (const [place, token] of tokens.entries()) {
    const { kind, text, start } = token;
    const before = tokens[place - 1];
    const level = levels.at(-1) ?? { call: null, commas: 0, isCompared: false };
    const isCall = kind === "name" && tokens[place + 1]?.text === "(" && !LOGICAL.has(text);
    let reason: string | null = null;
    if (kind === "number" && !Number.isFinite(Number(text))) {
      reason = words.number;
    } else if (isCall) {
      reason = Object.hasOwn(FUNCTIONS, text) ? null : words.functions(text);
    } else if (kind === "name" && !LOGICAL.has(text) && !CONSTANTS.has(text)) {
      reason = problemOfName(text, known);
    } else if (text === "(" ? before && isValue(before) : text === "," && level.call === null) {
      reason = words.syntax;
    } else if (text === "(") {
      const call = before?.kind === "name" && !LOGICAL.has(before.text) ? before : null;
      levels.push({ call, commas: 0, isCompared: false });
    } else if (text === ")") {
      const problem = before?.text === "," ? { position: start, reason: words.value } : problemOfCall(level, before);
      if (problem) {
        return problem;
      }
      levels.pop();
    } else if (kind === "operator" && COMPARISONS.has(text)) {
      reason = level.isCompared ? words.chained : null;
      level.isCompared = true;
    } else if (text === "," || LOGICAL.has(text)) {
      level.isCompared = false;
      level.commas += text === "," ? 1 : 0;
    }
    if (reason !== null) {
      return { position: start, reason };
    }
  }
  return null;
}

/** Return whether a token ends a value that is no function. */
function isValue({ kind, text }: Token): boolean {
  return kind === "number" || kind === "text" || text === ")";
}

function problemOfCall({ call, commas }: Level, last: Token | undefined): FormulaProblem | null {
  const [, least, most] = FUNCTIONS[call?.text ?? ""] ?? ["", 0, Infinity];
  const given = last?.text === "(" ? 0 : commas + 1;
  const isEven = call?.text === "lookup" && given % 2 > 0;
  const isWrong = call !== null && (given < least || given > most || isEven);
  return isWrong ? { position: call.start, reason: words.arguments(call.text, given) } : null;
}

function problemOfName(name: string, { earlier, later }: KnownVariables): string | null {
  const [group, ...rest] = name.split(".");
  const member = rest.join(".");
  if (DEVICE_NAMES.includes(name) || ((group === "answers" || group === "attributes") && rest.length === 1)) {
    return null;
  }
  if (group === "variables" && earlier.includes(member)) {
    return null;
  }
  return group === "variables" && later.includes(member) ? words.later(name) : words.unknown(name);
}

/** Return the number of parts of a tree, as the service counts them. */
function partsOf(tree: Tree): number {
  if (!Array.isArray(tree) || tree[0] === "get") {
    return 1;
  }
  const [name, ...parts] = tree;
  const own = Object.hasOwn(FUNCTIONS, String(name)) ? 2 : 1;
  return parts.reduce<number>((sum, part) => sum + partsOf(part), own);
}
