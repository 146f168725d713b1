import { Button, Group, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useProjectId } from "@/api/projects";
import { editorTexts } from "@/features/editor/texts";
import { memberNamesQuery } from "@/features/members/queries";
import { texts } from "@/texts";
import { Dialog } from "@/ui/feedback/Dialog";
import { Time } from "@/ui/values/format";
import { namesOf } from "../logic/rules";
import { ChangeList } from "../publish/ChangeList";
import { documentChanges } from "../publish/changes";
import type { EditedFlow } from "../queries";
import type { FlowDraftStore } from "./draftStore";

const words = editorTexts.conflict;

interface ConflictProps {
  store: FlowDraftStore;
  theirs: EditedFlow;
  onClose: () => void;
}

/** A dialog with the changes of both sides of a conflict since their last common document. */
export function Conflict({ store, theirs, onClose }: ConflictProps) {
  const members = useQuery(memberNamesQuery(useProjectId())).data;
  const base = store.stored.document;
  const mine = store.document;
  const names = namesOf(mine, theirs.document, base);
  const who = members?.get(theirs.savedBy ?? "") ?? words.someone;
  return (
    <Dialog title={words.title} size="xl" onClose={onClose}>
      <Stack gap="lg">
        <Text>
          {theirs.etag === null ? words.gone : words.text(who)}{" "}
          {theirs.savedAt && <Time value={theirs.savedAt} c="dimmed" />} {words.rest}
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
          <Button variant="default" onClick={() => void store.resolve("theirs")}>
            {texts.ui.takeTheirs}
          </Button>
          <Button onClick={() => void store.resolve("mine")}>{texts.ui.keepMine}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
