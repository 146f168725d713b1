import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { texts } from "@/texts";

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
