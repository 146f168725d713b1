import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { EditedFlow } from "@/features/editor/queries";
import { memberNamesQuery } from "@/features/members/queries";
import { texts } from "@/texts";
import { targetingOf } from "./saving";
import { TargetingInWords } from "./TargetingInWords";

const words = texts.targeting.conflict;

interface TargetingConflictNoteProps {
  theirs: EditedFlow;
  onMine: () => void;
  onTheirs: () => void;
}

/** The targeting that another editor has saved meanwhile; nothing is overwritten before a choice is made. */
export function TargetingConflictNote({ theirs, onMine, onTheirs }: TargetingConflictNoteProps) {
  const members = useQuery(memberNamesQuery(theirs.flow.project_id)).data;
  const author = members?.get(theirs.savedBy ?? "") ?? texts.editor.conflict.someone;
  return (
    <Alert color="yellow" title={words.title} icon={<IconUsers size={18} />} role="group" aria-label={words.title}>
      <Stack gap="sm">
        <Text size="sm">{words.text(author)}</Text>
        <TargetingInWords targeting={targetingOf(theirs)} />
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
