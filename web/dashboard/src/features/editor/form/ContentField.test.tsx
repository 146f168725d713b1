import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";
import type { Content } from "../document";
import { ContentField } from "./ContentField";
import type { Field } from "./fields";
import { formSettings, SETTINGS, screenFields } from "./screenFields";

/** Show a field, and return a function that reads its present content. */
function show(field: Field, content: Content): () => Content {
  let present = content;
  function Form() {
    const [shown, setShown] = useState(content);
    present = shown;
    return (
      <ContentField
        field={field}
        content={shown}
        errorOf={() => undefined}
        disabled={false}
        onChange={(value) => setShown({ ...shown, [field.path]: value })}
      />
    );
  }
  render(
    <MantineProvider>
      <Form />
    </MantineProvider>,
  );
  return () => present;
}

const input = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const type = (label: string, value: string) => fireEvent.change(input(label), { target: { value } });

test("button keeps its action while its label is typed again", () => {
  const button = { label: "A", action: "request_permission", tracking: "x" };
  const content = show({ kind: "button", path: "primary_button", label: "Button" }, { primary_button: button });
  type("Label", "");
  expect(screen.getByLabelText("Action", { selector: "input" })).toBeTruthy();
  type("Label", "E");
  expect(content().primary_button).toEqual({ ...button, label: "E" });
});

test("button, option and benefit are edited under the names that they have", () => {
  const button = show({ kind: "button", path: "primary_button", label: "Button" }, { primary_button: { text: "Go" } });
  expect(input("Label").value).toBe("Go");
  type("Label", "Start");
  expect(button().primary_button).toEqual({ text: "Start", action: "next" });
  cleanup();
  const options = screenFields("question_single_choice", {}).find(({ path }) => path === "options") as Field;
  const choice = show(options, { options: [{ id: "a", title: "A" }] });
  type("Label", "B");
  fireEvent.blur(input("Label"));
  expect(choice().options).toEqual([{ id: "a", title: "B" }]);
});

test("a picture that is gone has its error at its field", () => {
  const image: Field = { kind: "image", path: "image_url", label: "Image" };
  const errorOf = (path: string) => (path === "image_url.media_id" ? "No such file" : undefined);
  const content = { image_url: { media_id: "media_1" } };
  render(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        <ContentField field={image} content={content} errorOf={errorOf} disabled={false} onChange={() => undefined} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  expect(screen.getByText("No such file")).toBeTruthy();
});

test("decimals are typed as text and stored as numbers", () => {
  const content = show({ kind: "number", path: "step", label: "Step" }, { step: null });
  for (const [typed, stored] of [
    ["0", 0],
    ["0.", 0],
    ["0.0", 0],
    ["0.05", 0.05],
    ["", null],
    ["-", null],
    ["-1.5", -1.5],
  ] as const) {
    type("Step", typed);
    expect([input("Step").value, content().step]).toEqual([typed, stored]);
  }
});

test("entry with further members keeps them when its label is typed", () => {
  const providers = [{ label: "Apple", provider: "apple" }, "google"];
  const field = screenFields("signup", {}).find(({ path }) => path === "providers") as Field;
  const content = show(field, { providers });
  type("Sign-in providers 1", "Apple ID");
  type("Sign-in providers 2", "Google");
  expect(content().providers).toEqual([{ label: "Apple ID", provider: "apple" }, "Google"]);
});

test("option gets its label as its value when it has none, as pages take it", () => {
  const options = screenFields("question_single_choice", {}).find(({ path }) => path === "options") as Field;
  const content = show(options, {
    options: [
      { label: "", value: "" },
      { label: "No", value: "no" },
    ],
  });
  const [first, second] = screen.getAllByLabelText<HTMLInputElement>("Label");
  for (const [label, value] of [
    [first, "Yes"],
    [second, "Never"],
  ] as const) {
    fireEvent.change(label as HTMLInputElement, { target: { value } });
    fireEvent.blur(label as HTMLInputElement);
  }
  expect(content().options).toEqual([
    { label: "Yes", value: "Yes" },
    { label: "Never", value: "no" },
  ]);
});

test("switch of a single choice shows that it is required unless its content says otherwise", () => {
  const required = screenFields("question_single_choice", {}).find(({ path }) => path === "required") as Field;
  show(required, {});
  expect(screen.getByRole<HTMLInputElement>("switch").checked).toBe(true);
});

test.each([
  ["welcome", "next", false],
  ["welcome", "restore", true],
  ["welcome", "request_permission", false],
  ["paywall", "submit", true],
  ["paywall", "skip", false],
])("button of a %s screen with the action %s that a published SDK ignores is marked: %s", (type, action, isMarked) => {
  const button = screenFields(type, {}).find(({ path }) => path === "primary_button") as Field;
  show(button, { primary_button: { label: "Go", action } });
  expect(screen.queryByText(/published SDK does not hear/) !== null).toBe(isMarked);
});

test("button of a paywall gets a label by product, and loses it when it is emptied", () => {
  const products = [{ product_id: "yearly", label: "Yearly" }];
  const fields = screenFields("paywall", { products });
  const content = show(fields.find(({ kind }) => kind === "labels") as Field, { cta_by_product: { former: "Go" } });
  fireEvent.change(screen.getByLabelText("Yearly"), { target: { value: "Go yearly" } });
  expect(content().cta_by_product).toEqual({ former: "Go", yearly: "Go yearly" });
  fireEvent.change(screen.getByLabelText("Yearly"), { target: { value: "" } });
  expect(content().cta_by_product).toEqual({ former: "Go" });
});

const list = (type: string, member: string) =>
  screenFields(type, {}).find(({ path }) => path === member) as Field & { kind: "list" };

test("entries are added by Enter and by the menu, and a copy does not share its value", async () => {
  const options = [{ label: "Yes", value: "yes", icon: "x" }];
  const content = show(list("question_single_choice", "options"), { options });
  fireEvent.keyDown(screen.getByLabelText("Label"), { key: "Enter" });
  expect(content().options).toEqual([options[0], { label: "", value: "" }]);
  expect(document.activeElement).toBe(screen.getAllByLabelText("Label")[1]);
  expect(screen.getByText(/leave out an entry/)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Actions for Options 1" }));
  fireEvent.click(await screen.findByRole("menuitem", { name: "Duplicate" }));
  expect(content().options).toEqual([options[0], { ...options[0], value: "" }, { label: "", value: "" }]);
});

test.each([
  ["image_url", "http://example.com/a.png", /begin with https/],
  ["image_url", "https://example.com/a.png", null],
  ["illustration", "unicorn", /do not know this value/],
  ["icon", "unicorn", /show a star/],
  ["icon", "Map-Pin", null],
  ["icon", "🎉", null],
])("%s %s has a hint in the editor where pages leave it out", (member, value, hint) => {
  const field = screenFields("permissions", {}).find(({ path }) => path === member) as Field;
  show(field, { [member]: value });
  expect(screen.queryByText(hint ?? /do not know|begin with https:\/\/$|star/) !== null && hint !== null).toBe(
    hint !== null,
  );
});

test("background is a colour, a gradient, or that of the theme", () => {
  const background = SETTINGS.find(({ path }) => path === "background") as Field;
  const content = show(background, formSettings({ background_color: "#102030" }));
  expect(input("Colour as hex").value).toBe("#102030");
  type("Colour as hex", "#fff7ed");
  expect(content().background).toBe("#fff7ed");
  fireEvent.click(screen.getByLabelText("Gradient"));
  type("Colour 2", "#c1d8ff");
  fireEvent.click(screen.getByRole("button", { name: "Add a colour" }));
  expect(content().background).toEqual({ gradient: ["#dbe4ff", "#c1d8ff", "#ffffff"], angle: 180 });
  fireEvent.click(screen.getByLabelText("That of the theme"));
  expect(formSettings(content())).toEqual({});
});
