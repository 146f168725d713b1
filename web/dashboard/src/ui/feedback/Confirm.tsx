import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { texts } from "@/texts";
import { errorText, RequestId } from "../states";
import { Dialog } from "./Dialog";

interface ConfirmProps {
  title: string;
  /** Names the loss. */
  text?: string;
  /** What a sentence cannot say. */
  children?: ReactNode;
  /** The words to type, such as the name of the object. Without them a click is enough. */
  phrase?: string;
  action: string;
  /** The label of the button that closes the dialog without the action. */
  keep?: string;
  /** Whether the action loses something, which the colour of its button says. */
  isDestructive?: boolean;
  isReady?: boolean;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

/** A dialog before an action that loses something, or that changes what devices get. Render it while it is open. */
export function Confirm(props: ConfirmProps) {
  const { title, text, children, phrase, action, keep = texts.ui.cancel } = props;
  const { isDestructive = true, isReady = true, onConfirm, onClose } = props;
  const [typed, setTyped] = useState("");
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<unknown>(null);

  async function confirm(event: FormEvent) {
    event.preventDefault();
    if (running) {
      return;
    }
    setRunning(true);
    try {
      await onConfirm();
      onClose();
    } catch (reason) {
      setError(reason);
      setRunning(false);
    }
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={(event) => void confirm(event)}>
        <Stack>
          {text !== undefined && <Text>{text}</Text>}
          {children}
          {phrase !== undefined && (
            <TextInput
              data-autofocus
              label={texts.ui.typeToConfirm(phrase)}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoComplete="off"
            />
          )}
          {error !== null && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {errorText(error)}
            </Text>
          )}
          <RequestId error={error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {keep}
            </Button>
            <Button
              type="submit"
              color={isDestructive ? "red.9" : undefined}
              disabled={!isReady || (phrase !== undefined && typed.trim() !== phrase.trim())}
              loading={running}
            >
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
