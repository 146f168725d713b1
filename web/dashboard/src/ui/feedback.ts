import { notifications } from "@mantine/notifications";
import { ApiError } from "@/api/errors";
import { texts } from "@/texts";
import { errorText } from "./states";

/** Say that something has happened elsewhere than where the user looks. */
export function toast(message: string): void {
  notifications.show({ message, color: "gray" });
}

/** Say that an action has failed, with its request id. */
export function toastError(error: unknown, title?: string): void {
  const requestId = error instanceof ApiError && error.requestId ? ` (${texts.ui.requestId} ${error.requestId})` : "";
  notifications.show({ color: "red", title, message: errorText(error) + requestId, autoClose: 10_000 });
}
