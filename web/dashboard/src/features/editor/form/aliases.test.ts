import { expect, test } from "vitest";
import { namedFields, namedItem } from "./aliases";
import type { Field } from "./fields";
import { screenFields } from "./screenFields";

const pathsOf = (type: string, content: object) =>
  namedFields(screenFields(type, content as Record<string, unknown>), content as Record<string, unknown>).map(
    ({ path }) => path,
  );

test.each([
  ["consent", { text: "Before we start" }, "text"],
  ["welcome", { button_text: "Go", features: ["One"] }, "button_text"],
  ["welcome", { features: ["One"] }, "features"],
  ["question_single_choice", { title: "Which one?", choices: ["A"] }, "title"],
  ["question_picker", { picker_type: "number" }, "picker_type"],
  ["question_text", { question: "Who?", title: "" }, "question"],
])("a %s with %o is edited where it is: %s", (type, content, path) => {
  expect(pathsOf(type, content)).toContain(path);
});

test("a member that was emptied stays where it was", () => {
  expect(pathsOf("consent", { text: "" })).toContain("text");
  expect(pathsOf("consent", {})).toContain("subtitle");
});

test("entries have names of their own, and a label is no value", () => {
  const item = (list: string, type: string, entry: object) => {
    const field = screenFields(type, {}).find(({ path }) => path === list) as Extract<Field, { kind: "list" }>;
    return namedItem(list, field.item, entry as Record<string, unknown>).map(({ path }) => path);
  };
  expect(item("options", "question_single_choice", { id: "a", title: "A" })).toEqual(
    expect.arrayContaining(["title", "id"]),
  );
  expect(item("options", "question_single_choice", { label: "A" })).toEqual(expect.arrayContaining(["label", "value"]));
  expect(item("products", "paywall", { id: "y", name: "Yearly", description: "$39" })).toEqual(
    expect.arrayContaining(["id", "name", "description"]),
  );
  expect(item("quotes", "social_proof", { quote: "Good", author: "Ann" })).toEqual(
    expect.arrayContaining(["quote", "author"]),
  );
});
