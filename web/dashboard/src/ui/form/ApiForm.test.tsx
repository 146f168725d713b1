import { MantineProvider, TextInput } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { ApiError } from "@/api/errors";
import { ApiFormView } from "./ApiFormView";
import { dropKeptWork } from "./keptKeys";
import { useApiForm } from "./useApiForm";

function NameForm({ submit }: { submit: (values: { name: string }) => Promise<unknown> }) {
  const form = useApiForm({
    name: "test",
    initialValues: { name: "" },
    schema: z.object({ name: z.string().check(z.minLength(3, "Too short")) }),
    submit,
  });
  return (
    <ApiFormView form={form} submitLabel="Create">
      <TextInput label="Name" {...form.field("name")} />
    </ApiFormView>
  );
}

function show(submit: (values: { name: string }) => Promise<unknown>) {
  return render(
    <MantineProvider>
      <NameForm submit={submit} />
    </MantineProvider>,
  );
}

test("value that breaks the schema is not sent", async () => {
  const submit = vi.fn();
  show(submit);
  await userEvent.type(screen.getByLabelText("Name"), "ab");
  await userEvent.click(screen.getByRole("button", { name: "Create" }));
  expect(screen.getByText("Too short")).toBeTruthy();
  expect(submit).not.toHaveBeenCalled();
});

test("details of the service stand at their fields, and other failures above the buttons", async () => {
  const details = [{ field: "name", code: "INVALID_PARAMETER" as const, message: "must be unique" }];
  const submit = vi
    .fn()
    .mockRejectedValueOnce(new ApiError("name must be unique", 400, "INVALID_PARAMETER", details, "request-1"))
    .mockRejectedValueOnce(new ApiError("Too many projects", 409, "CONFLICT", [], "request-2"));
  show(submit);
  await userEvent.type(screen.getByLabelText("Name"), "abc");
  await userEvent.click(screen.getByRole("button", { name: "Create" }));
  expect(await screen.findByText("Must be unique")).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
  await userEvent.type(screen.getByLabelText("Name"), "d");
  await userEvent.click(screen.getByRole("button", { name: "Create" }));
  expect((await screen.findByRole("alert")).textContent).toContain("Too many projects");
  expect(screen.getByText("request-2")).toBeTruthy();
});

test("values that were sent are forgotten, also when the form is gone by then", async () => {
  const view = show(async () => view.unmount());
  await userEvent.type(screen.getByLabelText("Name"), "Sent");
  await userEvent.click(screen.getByRole("button", { name: "Create" }));
  await vi.waitFor(() => expect(sessionStorage.length).toBe(0));
});

test("a user who signs out leaves no unsaved values to the next one", async () => {
  const first = show(vi.fn());
  await userEvent.type(screen.getByLabelText("Name"), "Private");
  first.unmount();
  dropKeptWork();
  show(vi.fn());
  expect(screen.getByLabelText<HTMLInputElement>("Name").value).toBe("");
});

test("unsaved values survive a reload until they are sent", async () => {
  const submit = vi.fn().mockResolvedValue(undefined);
  const first = show(submit);
  await userEvent.type(screen.getByLabelText("Name"), "Draft");
  first.unmount();
  show(submit);
  expect(screen.getByLabelText<HTMLInputElement>("Name").value).toBe("Draft");
  await userEvent.click(screen.getByRole("button", { name: "Create" }));
  expect(submit).toHaveBeenCalledWith({ name: "Draft" });
  expect(sessionStorage.length).toBe(0);
});
