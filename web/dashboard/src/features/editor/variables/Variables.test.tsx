import { MantineProvider } from "@mantine/core";
import { act, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";
import type { FlowDocument } from "../document";
import { ContentField } from "../form/ContentField";
import { TextsOf } from "./TextField";
import { Variables } from "./Variables";

const NO_PROBLEMS = { errors: undefined, warnings: undefined };
const VALUES = { "variables.bmi": 20 };
const DOCUMENT = {
  name: "Plan",
  variables: [
    { name: "bmi", formula: "answers.weight / 4" },
    { name: "double", formula: "variables.bmi * 2" },
  ],
  screens: [{ id: "s1", type: "welcome", name: "Result", content: { title: "{{variables.double}}" }, settings: {} }],
} as unknown as FlowDocument;

/** Show the variables of the document. Return functions that read the present document, and put another one. */
function show(disabled = false) {
  let present = DOCUMENT;
  let put: (document: FlowDocument) => void = () => undefined;
  function Form() {
    const [document, setDocument] = useState(DOCUMENT);
    present = document;
    put = setDocument;
    return <Variables {...{ document, disabled }} problems={NO_PROBLEMS} values={VALUES} onChange={setDocument} />;
  }
  render(
    <MantineProvider env="test">
      <Form />
    </MantineProvider>,
  );
  return { document: () => present, put: (document: FlowDocument) => act(() => put(document)) };
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const type = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

test("a wrong formula stays in its field, and the last right one in the document", () => {
  const shown = show();
  type("Formula of double", "variables.bmi * 3");
  type("Formula of double", "variables.bmi * 3 + variables.triple");
  expect(screen.getByText(/At character 21: variables.triple is unknown/)).toBeTruthy();
  expect(shown.document().variables?.[1]?.formula).toBe("variables.bmi * 3");
  // Undo, or the change of someone else.
  shown.put(DOCUMENT);
  expect(field("Formula of double").value).toBe("variables.bmi * 2");
});

test("a new name goes to formulas and texts, and a taken one stays in its field", () => {
  const shown = show();
  type("Name of variable 1", "double");
  expect(screen.getByText(/Another variable has this name/)).toBeTruthy();
  expect(shown.document()).toBe(DOCUMENT);
  type("Name of variable 1", "index");
  type("Name of variable 2", "twice");
  expect(shown.document().variables?.[1]).toEqual({ name: "twice", formula: "variables.index * 2" });
  expect(shown.document().screens[0]?.content.title).toBe("{{variables.twice}}");
});

test("a variable that a formula reads is kept, one that a text shows goes after a question", async () => {
  const shown = show();
  press("Delete bmi");
  expect(await screen.findByText(/double cannot be computed without it/)).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Delete the variable" }).disabled).toBe(true);
  press("Cancel");
  press("Delete double");
  expect(await screen.findByText("Without double its value is missing in Result.")).toBeTruthy();
  await act(async () => press("Delete the variable"));
  expect(shown.document().variables?.map(({ name }) => name)).toEqual(["bmi"]);
  press("Delete bmi");
  expect(shown.document()).toEqual({ name: "Plan", screens: DOCUMENT.screens });
});

test("a variable does not move above one that it reads", () => {
  const shown = show();
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Move double up" }).disabled).toBe(true);
  press("Add variable");
  press("Move value_3 up");
  expect(shown.document().variables?.map(({ name }) => name)).toEqual(["bmi", "value_3", "double"]);
});

test("viewers read variables and change nothing", () => {
  show(true);
  expect(field("Formula of bmi").disabled).toBe(true);
  expect(screen.getByText(/In the preview: 20/)).toBeTruthy();
  expect(screen.getByText(/In the preview: missing/)).toBeTruthy();
  expect(screen.queryAllByRole("button")).toEqual([]);
});

test("a text has the reason for an unknown name, and a menu that inserts one at the cursor", async () => {
  let content: Record<string, unknown> = { title: "Your {{variables.bim}}: !" };
  function Form() {
    const [shown, setShown] = useState(content);
    content = shown;
    return (
      <TextsOf value={{ document: DOCUMENT, screenId: "s1" }}>
        <ContentField
          field={{ kind: "text", path: "title", label: "Title" }}
          content={shown}
          errorOf={() => undefined}
          disabled={false}
          onChange={(title) => setShown({ title })}
        />
      </TextsOf>
    );
  }
  render(
    <MantineProvider env="test">
      <Form />
    </MantineProvider>,
  );
  expect(screen.getByText("{{variables.bim}}").tagName).toBe("MARK");
  expect(screen.getByText(/The flow has no such variable/)).toBeTruthy();
  type("Title", "Your : !");
  field("Title").setSelectionRange(7, 7);
  press("Insert a name");
  fireEvent.click(await screen.findByRole("menuitem", { name: /double/ }));
  expect(content.title).toBe("Your : {{variables.double|}}!");
});
