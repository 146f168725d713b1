import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { texts } from "@/texts";
import { Dialog } from "./Dialog";
import { errorText, RequestId } from "./states";

interface ConfirmByTypingProps {
  title: string;
  /** What will be lost. */
  text: string;
  /** The words to type: the name of what will be lost. */
  phrase: string;
  action: string;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

/** A dialog before an act that cannot be undone: its user types the name. Render it while it is open. */
export function ConfirmByTyping({ title, text, phrase, action, onConfirm, onClose }: ConfirmByTypingProps) {
  const [typed, setTyped] = useState("");
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<unknown>(null);

  async function confirm(event: FormEvent) {
    event.preventDefault();
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
          <Text>{text}</Text>
          <TextInput
            data-autofocus
            label={texts.ui.typeToConfirm(phrase)}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            error={error === null ? null : errorText(error)}
            autoComplete="off"
          />
          <RequestId error={error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {texts.ui.cancel}
            </Button>
            <Button type="submit" color="red" disabled={typed.trim() !== phrase.trim()} loading={running}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
