import { MantineProvider } from "@mantine/core";
import { Notifications, notifications } from "@mantine/notifications";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/errors";
import { toastWithUndo } from "./feedback";

afterEach(() => notifications.clean());

function show(undo: () => Promise<unknown>): Promise<HTMLElement> {
  render(
    <MantineProvider env="test">
      <Notifications />
    </MantineProvider>,
  );
  toastWithUndo("Archived Tour", undo, "Tour is back");
  return screen.findByRole("button", { name: "Undo" });
}

test("undo of two clicks runs once and says what is back", async () => {
  const undo = vi.fn(async () => undefined);
  const button = await show(undo);
  fireEvent.click(button);
  fireEvent.click(button);
  await screen.findByText("Tour is back");
  expect(undo).toHaveBeenCalledOnce();
});

test("undo after somebody else's change says so", async () => {
  fireEvent.click(await show(() => Promise.reject(new ApiError("Stale", 412, "PRECONDITION_FAILED", [], null))));
  await screen.findByText(/Somebody has changed it since/);
  expect(screen.queryByText("Tour is back")).toBeNull();
});

test("undo without a connection can be tried again", async () => {
  const undo = vi.fn(async () => undefined);
  undo.mockRejectedValueOnce(new TypeError("Failed to fetch"));
  fireEvent.click(await show(undo));
  await screen.findByText(/could not be reached/);
  await waitFor(() => expect(screen.getAllByRole("button", { name: "Undo" })).toHaveLength(1));
  fireEvent.click(screen.getByRole("button", { name: "Undo" }));
  await screen.findByText("Tour is back");
});
