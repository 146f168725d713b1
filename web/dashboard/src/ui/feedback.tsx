import { Anchor, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { ApiError } from "@/api/errors";
import { texts } from "@/texts";
import { errorText } from "./states";

const ERROR_MILLISECONDS = 10_000;
const UNDO_MILLISECONDS = 8_000;

/** Show a message about an event outside of the view. */
export function toast(message: string): void {
  notifications.show({ message, color: "gray" });
}

/** Show a message about a change with a button that reverts it. */
export function toastWithUndo(message: string, undo: () => void): void {
  const id = notifications.show({
    color: "gray",
    autoClose: UNDO_MILLISECONDS,
    message: (
      <Group gap="sm" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <Anchor
          component="button"
          type="button"
          onClick={() => {
            notifications.hide(id);
            undo();
          }}
        >
          {texts.ui.undo}
        </Anchor>
      </Group>
    ),
  });
}

/** Show the error of a failed action with its request id. */
export function toastError(error: unknown, title?: string): void {
  const requestId = error instanceof ApiError && error.requestId ? ` (${texts.ui.requestId} ${error.requestId})` : "";
  notifications.show({ color: "red", title, message: errorText(error) + requestId, autoClose: ERROR_MILLISECONDS });
}
