/** The parser of formulas, for previews and SDKs. Hosted pages get trees, which the publisher made. */

import jsep from "jsep";
import type { Tree } from "./formulas";
import { type Json, list, memberOf, number, object, text } from "./json";

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

/** The left side of `not`, which has two sides for the library, because it binds less than a comparison. */
const NOTHING = "$";
const NOT = "not";
/** Between `&&` and the comparisons. */
const NOT_PRECEDENCE = 2.5;
const OPERATORS: Record<string, string> = { and: "&&", or: "||", not: `${NOTHING} ${NOT}` };
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
  const leaves: Tree[] = [];
  const tokens = tokensOf(formula).filter(({ kind }) => kind !== "space");
  let source = "";
  /** The ends of the tokens in the source of the library. */
  const ends: number[] = [];
  for (const { kind, text: token } of tokens) {
    const operator = kind === "operator" ? token : memberOf<string>(OPERATORS, token);
    if (operator === undefined) {
      leaves.push(leafOf(kind, token));
    }
    source += ` ${operator ?? `t${leaves.length - 1}`} `;
    ends.push(source.length);
  }
  // Here and not above: an import does no work in an app.
  jsep.addBinaryOp(NOT, NOT_PRECEDENCE, true);
  try {
    return treeOf(jsep(source), leaves);
  } catch (error) {
    const place = ends.findIndex((end) => end > (number(object(error).index) ?? -1));
    throw new FormulaError(tokens[place]?.start ?? Math.max(0, formula.trimEnd().length - 1));
  }
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

function treeOf(node: jsep.Expression, leaves: readonly Tree[]): Tree {
  const inner = (part: unknown) => treeOf(part as jsep.Expression, leaves);
  switch (node.type) {
    case "Identifier":
      return leafAt(node, leaves);
    case "UnaryExpression":
      if (node.operator === "-") {
        return ["-", inner(node.argument)];
      }
      break;
    case "BinaryExpression": {
      const operator = { "&&": "and", "||": "or" }[String(node.operator)] ?? String(node.operator);
      const isNot = operator === NOT;
      if (isNot === isNothing(node.left)) {
        return isNot ? [NOT, inner(node.right)] : [operator, inner(node.left), inner(node.right)];
      }
      break;
    }
    case "CallExpression": {
      const [, name] = leafAt(node.callee, leaves) as Tree[];
      return [text(name), ...list(node.arguments).map(inner)];
    }
  }
  throw new SyntaxError("This is not a formula.");
}

function isNothing(node: unknown): boolean {
  return object(node).name === NOTHING;
}

function leafAt(node: unknown, leaves: readonly Tree[]): Tree {
  const leaf = leaves[Number(text(object(node).name).slice(1))];
  if (leaf === undefined) {
    throw new SyntaxError("A value is expected.");
  }
  return leaf;
}
