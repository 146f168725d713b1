import { expect, test } from "vitest";
import type { FlowDocument } from "../document";
import { hasNames, namesForFormula, namesForTexts, renameVariable, textProblems, usesOf, withFormat } from "./names";

const bmi = { attribute: "variables.bmi", operator: "gt", value: 25 };
const DOCUMENT = {
  name: "Plan",
  variables: [
    { name: "bmi", formula: "answers.weight / 4" },
    { name: "bmi_text", formula: 'concat("variables.bmi ", variables.bmi)' },
  ],
  screens: [
    { id: "s1", type: "question_picker", name: "Weight", content: { picker: "weight", answer_key: "weight" } },
    {
      id: "s2",
      type: "welcome",
      name: "Plan",
      content: { title: "{{ variables.bmi:integer | ? }} of variables.bmi", items: ["\\{{variables.bmi}}"] },
      next: [{ id: "r", when: [bmi], go_to: "s3" }],
    },
    { id: "s3", type: "welcome", name: "Food", content: { title: "{{variables.bmi_text}}" }, show_if: [bmi] },
    { id: "s4", type: "question_text", name: "Name", content: { answer_key: "name" } },
  ].map((screen) => ({ settings: {}, ...screen })),
} as unknown as FlowDocument;

test("a variable is renamed in formulas, conditions and texts, and nowhere else", () => {
  const { variables, screens } = renameVariable(DOCUMENT, 0, "index");
  expect(variables?.[0]?.name).toBe("index");
  expect(variables?.[1]?.formula).toBe('concat("variables.bmi ", variables.index)');
  expect(screens[1]?.content).toEqual({
    title: "{{ variables.index:integer | ? }} of variables.bmi",
    items: ["\\{{variables.bmi}}"],
  });
  const renamed = { ...bmi, attribute: "variables.index" };
  expect([screens[1]?.next?.[0]?.when, screens[2]?.show_if]).toEqual([[renamed], [renamed]]);
  expect(screens[2]?.content).toEqual(DOCUMENT.screens[2]?.content);
});

test("uses of a variable are found in formulas, conditions and texts", () => {
  expect(usesOf(DOCUMENT, "bmi")).toEqual(["bmi_text", "Plan", "Food"]);
  expect(usesOf(DOCUMENT, "bmi_text")).toEqual(["Food"]);
});

test.each([
  ["{{answers.weight}} {{attributes.any}} {{app_name}} {{variables.bmi:integer|none}}", []],
  ["\\{{goal}}", []],
  ["{{ goal }}", ["{{ goal }}", "This is no name. It is shown as it is written."]],
  ["{{answers.goal|x}}", ["{{answers.goal|x}}", "No screen asks for this answer."]],
  ["{{answers.name}}", ["{{answers.name}}", "Only a later screen asks for this answer."]],
  ["{{variables.bim}}", ["{{variables.bim}}", "The flow has no such variable."]],
  ["{{answers.weight:euro}}", ["{{answers.weight:euro}}", "This format is unknown, and is ignored."]],
  ["Your {{answers.weight", ["{{", "These braces are not closed. They are shown."]],
])("names in %s have the problems %j", (text, expected) => {
  expect(textProblems(text, DOCUMENT, "s2").flatMap((problem) => Object.values(problem))).toEqual(expected);
});

test("a text and a formula are offered the names that they can read", () => {
  const named = (names: { name: string }[]) => names.map(({ name }) => name);
  expect(named(namesForTexts(DOCUMENT, "s2")).slice(0, 3)).toEqual([
    "answers.weight",
    "variables.bmi",
    "variables.bmi_text",
  ]);
  const forFormula = named(namesForFormula(DOCUMENT, 1));
  expect(forFormula.slice(0, 3)).toEqual(["answers.weight", "answers.name", "variables.bmi"]);
  expect(forFormula).toContain("round()");
  expect(forFormula).not.toContain("variables.bmi_text");
});

test("addresses, values and ids have no names in their texts", () => {
  expect(["title", "html", "label", "0"].every(hasNames)).toBe(true);
  expect(["image", "answer_key", "value", "url", "product_id"].some(hasNames)).toBe(false);
});

test.each([
  ["a {{answers.weight|x}} b", 5, "a {{answers.weight:integer|x}} b"],
  ["{{ answers.weight : percent }}", 5, "{{answers.weight:integer}}"],
  ["{{answers.weight}} b", 20, null],
  ["{{weight}}", 4, null],
])("a format is given to the name in %s at the cursor %i", (text, cursor, expected) => {
  expect(withFormat(text, cursor, "integer")).toBe(expected);
});
