/** The parser of formulas, for previews and SDKs. Hosted pages get trees, which the publisher made. */

import jsep from "jsep";
import type { Tree } from "./formulas";
import { type Json, list, object, text } from "./json";

const TOKEN = new RegExp(
  "\\s+" +
    "|((?:[0-9]+(?:\\.[0-9]+)?|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?![0-9A-Za-z_.]))" +
    '|("(?:[^"\\\\]|\\\\["\\\\])*")' +
    "|([A-Za-z_][A-Za-z0-9_]*(?:\\.[A-Za-z_][A-Za-z0-9_]*)*)" +
    "|==|!=|<=|>=|[-+*/<>(),]",
  "y",
);
/** The left side of `not`, which has two sides for the library, because it binds less than a comparison. */
const NOTHING = "$";
const NOT = "not";
/** Between `&&` and the comparisons. */
const NOT_PRECEDENCE = 2.5;
const OPERATORS: Json = { and: "&&", or: "||", not: `${NOTHING} ${NOT}` };
const CONSTANTS: Json = { true: true, false: false };

jsep.addBinaryOp(NOT, NOT_PRECEDENCE, true);

/** Return variables with trees, as the code of logic reads them. One that cannot be parsed has none. */
export function withTrees(variables: unknown): Json[] {
  return list(variables)
    .map(object)
    .map(({ name, formula }) => ({ name, tree: parseFormula(text(formula)) }));
}

/** Return the tree of a formula that the service accepts; null for another text. */
export function parseFormula(formula: string): Tree | null {
  const leaves: Tree[] = [];
  let source = "";
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < formula.length; ) {
    const [token, number, quoted, name] = TOKEN.exec(formula) ?? [];
    if (token === undefined) {
      return null;
    }
    if (number !== undefined || quoted !== undefined || (name !== undefined && !(name in OPERATORS))) {
      leaves.push(leafOf(number, quoted, name));
      source += ` t${leaves.length - 1} `;
    } else {
      source += name === undefined ? token : ` ${OPERATORS[name]} `;
    }
  }
  try {
    return treeOf(jsep(source), leaves);
  } catch {
    return null;
  }
}

function leafOf(number: string | undefined, quoted: string | undefined, name = ""): Tree {
  if (number !== undefined) {
    return Number(number);
  }
  if (quoted !== undefined) {
    return quoted.slice(1, -1).replace(/\\(.)/g, "$1");
  }
  return name in CONSTANTS ? name === "true" : ["get", name];
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
