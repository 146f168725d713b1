import { MantineProvider } from "@mantine/core";
import { notifications, notificationsStore } from "@mantine/notifications";
import { fireEvent, render, screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "@/api/errors";
import { toastWithUndo } from "./feedback";

// Files of tests share the store.
beforeEach(() => notifications.clean());

const shown = () => notificationsStore.getState().notifications;

/** Return the button of the newest message. */
function undoButton(): HTMLElement {
  render(<MantineProvider env="test">{shown().at(-1)?.message}</MantineProvider>);
  return screen.getAllByRole("button", { name: "Undo" }).at(-1) as HTMLElement;
}

function press(undo: () => Promise<unknown>): void {
  toastWithUndo("Archived Tour", undo, "Tour is back");
  const button = undoButton();
  fireEvent.click(button);
  fireEvent.click(button);
}

const expectMessage = (message: unknown) =>
  vi.waitFor(() => expect(shown().map((each) => each.message)).toEqual([message]));

test("undo of two clicks runs once and says what is back", async () => {
  const undo = vi.fn(async () => undefined);
  press(undo);
  await expectMessage("Tour is back");
  expect(undo).toHaveBeenCalledOnce();
});

test("undo after somebody else's change says so", async () => {
  press(() => Promise.reject(new ApiError("Stale", 412, "PRECONDITION_FAILED", [], null)));
  await expectMessage(expect.stringMatching(/^Somebody has changed it since/));
});

test("undo without a connection can be tried again", async () => {
  const undo = vi.fn(async () => undefined);
  undo.mockRejectedValueOnce(new TypeError("Failed to fetch"));
  press(undo);
  await expectMessage(expect.anything());
  fireEvent.click(undoButton());
  await expectMessage("Tour is back");
});
