import { Anchor, Group, Text } from "@mantine/core";
import { type NotificationData, notifications } from "@mantine/notifications";
import { ApiError, isTransient } from "@/api/errors";
import { texts } from "@/texts";
import { errorText } from "../states";

const ERROR_MILLISECONDS = 10_000;
const UNDO_MILLISECONDS = 12_000;
const PRECONDITION_FAILED = 412;

/** More messages would cover the view, so the oldest one goes. */
const MAX_SHOWN = 2;
let shown: string[] = [];

function show(message: NotificationData): string {
  shown = [...shown, notifications.show(message)];
  for (const id of shown.slice(0, -MAX_SHOWN)) {
    notifications.hide(id);
  }
  shown = shown.slice(-MAX_SHOWN);
  return shown.at(-1) ?? "";
}

/** Show a message about an event outside of the view. */
export function toast(message: string): void {
  show({ message, color: "gray" });
}

/** Return the error of an undo whose object somebody else has changed. */
export function changedSince(): ApiError {
  return new ApiError(texts.ui.changedSince, PRECONDITION_FAILED, "PRECONDITION_FAILED", [], null);
}

/**
 * Show a message about a change with a button that reverts it, once. `undo` must refuse with 412 where somebody else has
 * changed the object since; a failure of the network offers the button again.
 */
export function toastWithUndo(message: string, undo: () => Promise<unknown>, done: string = texts.ui.undone): void {
  let isUsed = false;
  async function use() {
    if (isUsed) {
      return;
    }
    isUsed = true;
    notifications.hide(id);
    try {
      await undo();
      toast(done);
    } catch (error) {
      if (isTransient(error)) {
        toastWithUndo(texts.ui.undoUnreachable, undo, done);
      } else {
        const isChanged = error instanceof ApiError && error.status === PRECONDITION_FAILED;
        toastError(isChanged ? changedSince() : error, texts.ui.undoFailed);
      }
    }
  }
  const id = show({
    color: "gray",
    autoClose: UNDO_MILLISECONDS,
    message: (
      <Group gap="sm" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <Anchor component="button" type="button" onClick={() => void use()}>
          {texts.ui.undo}
        </Anchor>
      </Group>
    ),
  });
}

/** Show the error of a failed action with its request id. */
export function toastError(error: unknown, title?: string): void {
  const requestId = error instanceof ApiError && error.requestId ? ` (${texts.ui.requestId} ${error.requestId})` : "";
  show({ color: "red", title, message: errorText(error) + requestId, autoClose: ERROR_MILLISECONDS });
}
