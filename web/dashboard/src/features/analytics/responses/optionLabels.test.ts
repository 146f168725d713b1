import { expect, test } from "vitest";
import { labelOf, optionLabels } from "./optionLabels";

function label(options: unknown, value: string): string {
  return labelOf(value, optionLabels([{ id: "screen_1", content: { options } }]).get("screen_1"));
}

test("values of options have the labels that hosted pages show", () => {
  const options = [{ value: "health", label: "Better health" }, { id: 2, title: "Second" }, "Plain"];
  expect(["health", "2", "Plain"].map((value) => label(options, value))).toEqual(["Better health", "Second", "Plain"]);
});

test("a value that the flow does not have any more is shown itself", () => {
  expect(label([{ value: "health", label: "Better health" }], "sleep")).toBe("sleep");
  expect(label(undefined, "sleep")).toBe("sleep");
});

test("values with the same label are told apart", () => {
  const options = [
    { value: "a", label: "Yes" },
    { value: "b", label: "Yes" },
  ];
  expect(label(options, "b")).toBe("Yes (b)");
});
