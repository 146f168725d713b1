import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { ApiError } from "@/api/errors";
import type { Tagged } from "@/api/responses";
import { texts } from "@/texts";

/**
 * Return the newest version of what a form changes, as far as it is known, and a function that saves: where the service
 * finds a later version than the one that was read, that is fetched. The form keeps the entity tag that it has read
 * among its values, so that restored ones do not replace a later version without a question.
 */
export function useNewest<Data>(read: Tagged<Data>, fetchNewest: () => Promise<Tagged<Data>>) {
  const [newest, setNewest] = useState(read);
  async function save<Saved>(send: () => Promise<Saved>): Promise<Saved> {
    try {
      return await send();
    } catch (error) {
      if (error instanceof ApiError && error.status === 412) {
        setNewest(await fetchNewest());
      }
      throw error;
    }
  }
  return { newest, save };
}

interface ConflictNoteProps {
  title?: string;
  text?: string;
  /** The other version, where it can be shown. */
  children?: ReactNode;
  /** Replace the other version by what is in the form. */
  onMine: () => void;
  onTheirs: () => void;
}

/** Another person has saved what a form changes; nothing is overwritten before a choice is made. */
export function ConflictNote({ title, text, children, onMine, onTheirs }: ConflictNoteProps) {
  const shownTitle = title ?? texts.ui.conflictTitle;
  return (
    <Alert color="yellow" title={shownTitle} icon={<IconUsers size={18} />} role="group" aria-label={shownTitle}>
      <Stack gap="sm">
        <Text size="sm">{text ?? texts.ui.conflictText}</Text>
        {children}
        <Group gap="xs">
          <Button variant="default" onClick={onTheirs}>
            {texts.editor.conflict.takeTheirs}
          </Button>
          <Button variant="default" onClick={onMine}>
            {texts.editor.conflict.keepMine}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
