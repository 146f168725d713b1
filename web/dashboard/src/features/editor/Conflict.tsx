import { Button, Group, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { memberNamesQuery } from "@/features/members/queries";
import { useProjectId } from "@/features/projects/queries";
import { texts } from "@/texts";
import { Dialog } from "@/ui/Dialog";
import { Time } from "@/ui/format";
import { ChangeList } from "./ChangeList";
import { documentChanges, namesOf } from "./changes";
import type { FlowDocument } from "./document";
import type { EditedFlow } from "./queries";

const words = texts.editor.conflict;

interface ConflictProps {
  /** The last common document of both sides. */
  base: FlowDocument;
  mine: FlowDocument;
  theirs: EditedFlow;
  onMine: () => void;
  onTheirs: () => void;
  onClose: () => void;
}

/** A dialog with the changes of both sides of a conflict since their last common document. */
export function Conflict({ base, mine, theirs, onMine, onTheirs, onClose }: ConflictProps) {
  const members = useQuery(memberNamesQuery(useProjectId())).data;
  const names = namesOf(mine, theirs.document, base);
  const who = members?.get(theirs.savedBy ?? "") ?? words.someone;
  return (
    <Dialog title={words.title} size="xl" onClose={onClose}>
      <Stack gap="lg">
        <Text>
          {theirs.etag === null ? words.gone : words.text(who)}{" "}
          {theirs.savedAt && <Time value={theirs.savedAt} c="dimmed" />}
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
          <Stack gap="xs" role="group" aria-label={words.mine}>
            <Title order={3}>{words.mine}</Title>
            <ChangeList changes={documentChanges(base, mine)} names={names} />
          </Stack>
          <Stack gap="xs" role="group" aria-label={words.theirs}>
            <Title order={3}>{words.theirs}</Title>
            <ChangeList changes={documentChanges(base, theirs.document)} names={names} />
          </Stack>
        </SimpleGrid>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onTheirs}>
            {words.takeTheirs}
          </Button>
          <Button onClick={onMine}>{words.keepMine}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
