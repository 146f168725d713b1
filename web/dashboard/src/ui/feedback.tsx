import { Anchor, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { ApiError } from "@/api/errors";
import { texts } from "@/texts";
import { errorText } from "./states";

const ERROR_MILLISECONDS = 10_000;
const UNDO_MILLISECONDS = 8_000;

/** Say that something has happened elsewhere than where the user looks. */
export function toast(message: string): void {
  notifications.show({ message, color: "gray" });
}

/** Say that something has happened, with a button that takes it back: better than a question before it. */
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

/** Say that an action has failed, with its request id. */
export function toastError(error: unknown, title?: string): void {
  const requestId = error instanceof ApiError && error.requestId ? ` (${texts.ui.requestId} ${error.requestId})` : "";
  notifications.show({ color: "red", title, message: errorText(error) + requestId, autoClose: ERROR_MILLISECONDS });
}
