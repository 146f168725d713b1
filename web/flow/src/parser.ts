/** The parser of formulas, for previews and SDKs. Hosted pages get trees, which the publisher made. */

import type { Tree } from "./formulas";
import { type Json, list, memberOf, object, text } from "./json";

const TOKEN = new RegExp(
  "([ \\t\\r\\n]+)" +
    "|((?:[0-9]+(?:\\.[0-9]+)?|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?![0-9A-Za-z_.]))" +
    '|("(?:[^"\\\\]|\\\\["\\\\])*")' +
    "|([A-Za-z_][A-Za-z0-9_]*(?:\\.[A-Za-z_][A-Za-z0-9_]*)*)" +
    "|(==|!=|<=|>=|[-+*/<>(),])",
  "y",
);
const KINDS = ["space", "number", "text", "name", "operator"] as const;

/** A token of a formula, and the place of its first character. */
export interface Token {
  kind: (typeof KINDS)[number];
  text: string;
  start: number;
}

/** A formula that cannot be parsed, with the place of its first wrong character. */
export class FormulaError extends Error {
  constructor(
    readonly position: number,
    /** Whether the character begins no token. */
    readonly isCharacter = false,
  ) {
    super("This is not a formula.");
  }
}

/** How tightly operators bind. */
const PRECEDENCES: Record<string, number> = {
  ...{ or: 1, and: 2 },
  ...{ "==": 4, "!=": 4, "<": 4, "<=": 4, ">": 4, ">=": 4 },
  ...{ "+": 5, "-": 5, "*": 6, "/": 6 },
};
const NOT = 3;
const COMPARISON = 4;
const UNARY = 7;
const CONSTANTS: Record<string, boolean> = { true: true, false: false };

/** Return variables with trees, as the code of logic reads them. One that cannot be parsed has none. */
export function withTrees(variables: unknown): Json[] {
  return list(variables)
    .map(object)
    .map(({ name, formula }) => ({ name, tree: parseFormula(text(formula)) }));
}

/** Return the tree of a formula that the service accepts; null for another text. */
export function parseFormula(formula: string): Tree | null {
  try {
    return readFormula(formula);
  } catch {
    return null;
  }
}

/** Return the tokens of a formula, white space too. Throw a FormulaError where there is none. */
export function tokensOf(formula: string): Token[] {
  const tokens: Token[] = [];
  for (let start = 0; start < formula.length; start = TOKEN.lastIndex) {
    TOKEN.lastIndex = start;
    const [token, ...groups] = TOKEN.exec(formula) ?? [];
    const kind = KINDS[groups.findIndex((group) => group !== undefined)];
    if (token === undefined || kind === undefined) {
      throw new FormulaError(start, true);
    }
    tokens.push({ kind, text: token, start });
  }
  return tokens;
}

/** Return the tree of a formula. Throw a FormulaError for another text. */
export function readFormula(formula: string): Tree {
  const tokens = tokensOf(formula).filter(({ kind }) => kind !== "space");
  let place = 0;
  const next = () => tokens[place]?.text ?? "";
  const fail = (): never => {
    throw new FormulaError(tokens[place]?.start ?? Math.max(0, formula.trimEnd().length - 1));
  };
  const take = (expected: string) => {
    const isNext = next() === expected;
    place += Number(isNext);
    return isNext;
  };
  const need = (expected: string) => take(expected) || fail();

  /** Read a part whose operators bind at least so tightly. */
  const read = (least: number): Tree => {
    let left = readOperand(least);
    for (;;) {
      const operator = next();
      const precedence = memberOf(PRECEDENCES, operator) ?? 0;
      if (precedence < least || precedence === 0) {
        return left;
      }
      place += 1;
      left = [operator, left, read(precedence + 1)];
      if (precedence === COMPARISON && memberOf(PRECEDENCES, next()) === COMPARISON) {
        fail();
      }
    }
  };
  const readOperand = (least: number): Tree => {
    if (take("-")) {
      return ["-", read(UNARY)];
    }
    if (least <= NOT && take("not")) {
      return ["not", read(NOT)];
    }
    if (take("(")) {
      const inner = read(1);
      need(")");
      return inner;
    }
    const { kind, text: token } = tokens[place] ?? fail();
    if (kind === "operator" || token === "not" || memberOf(PRECEDENCES, token)) {
      fail();
    }
    place += 1;
    return kind === "name" && memberOf(CONSTANTS, token) === undefined && take("(")
      ? [token, ...readArguments()]
      : leafOf(kind, token);
  };
  const readArguments = (): Tree[] => {
    const given: Tree[] = [];
    while (!take(")")) {
      if (given.length > 0) {
        need(",");
      }
      given.push(read(1));
    }
    return given;
  };

  const tree = read(1);
  return place < tokens.length ? fail() : tree;
}

function leafOf(kind: Token["kind"], token: string): Tree {
  if (kind === "number") {
    return Number(token);
  }
  if (kind === "text") {
    return token.slice(1, -1).replace(/\\(.)/g, "$1");
  }
  return memberOf(CONSTANTS, token) ?? ["get", token];
}
