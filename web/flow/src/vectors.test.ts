/** The vectors of docs/logic-vectors.json, which an implementation in Python has made. */

import { expect, it } from "vitest";
import file from "../../../docs/logic-vectors.json";
import { evaluated, type Walk, walk } from "../testing/walk";
import { type Condition, holds } from "./conditions";
import type { Json } from "./json";
import { filled } from "./texts";

interface Vectors {
  flows: (Walk & { name: string; expected: Json })[];
  conditions: { condition: Condition; values: Json; holds: boolean }[];
  formulas: { formula: string; value: unknown }[];
  texts: { text: string; language: string; html: boolean; expected: string }[];
  values: [{ today: string; values: Json }];
}

const vectors = file as unknown as Vectors;
const [{ today, values }] = vectors.values;

it.each(vectors.flows)("leads through the flow: $name", ({ expected, ...given }) => {
  expect(walk(given)).toMatchObject(expected);
});

it.each(vectors.conditions)("$condition holds: $holds", ({ condition, values: own, holds: expected }) => {
  expect(holds(condition, own)).toBe(expected);
});

it.each(vectors.formulas)("$formula is $value", ({ formula, value }) => {
  expect(evaluated(formula, values, today)).toEqual(value);
});

it.each(vectors.texts)("$text is $expected", ({ text, language, html, expected }) => {
  const member = html ? "html" : "title";
  const { [member]: found } = filled({ [member]: text }, { values, screens: {}, language });
  expect(unescaped(String(found))).toBe(unescaped(expected));
});

/** Characters have several escapes in HTML. */
function unescaped(html: string): string {
  return html.replace(/&(?:#(\d+)|(\w+));/g, (_, code?: string, name?: string) =>
    code ? String.fromCharCode(Number(code)) : ({ amp: "&", lt: "<", gt: ">" }[name ?? ""] ?? ""),
  );
}
