import { Button, Group, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useProjectId } from "@/api/projects";
import { editorTexts } from "@/features/editor/texts";
import { memberNamesQuery } from "@/features/members/queries";
import { texts } from "@/texts";
import { Dialog } from "@/ui/feedback/Dialog";
import { Time } from "@/ui/values/format";
import type { Edited } from "../queries";
import type { DraftStore } from "./draftStore";

const words = editorTexts.conflict;

interface ConflictDialogProps<Document, Read extends Edited<Document>> {
  title: string;
  store: DraftStore<Document, Read>;
  theirs: Read;
  /** Show the changes of one side since the last common document. */
  changes: (base: Document, side: Document) => ReactNode;
  onClose: () => void;
}

/** A dialog with the changes of both sides of a conflict of a flow or a theme, where the user chooses a side. */
export function ConflictDialog<Document, Read extends Edited<Document>>({
  title,
  store,
  theirs,
  changes,
  onClose,
}: ConflictDialogProps<Document, Read>) {
  const members = useQuery(memberNamesQuery(useProjectId())).data;
  const who = members?.get(theirs.savedBy ?? "") ?? words.someone;
  const sides = [
    { name: words.mine, document: store.document },
    { name: words.theirs, document: theirs.document },
  ];
  return (
    <Dialog title={title} size="xl" onClose={onClose}>
      <Stack gap="lg">
        <Text>
          {theirs.etag === null ? words.gone : words.text(who)}
          {theirs.savedAt && (
            <>
              {" "}
              (<Time value={theirs.savedAt} c="dimmed" />)
            </>
          )}
          . {words.rest}
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
          {sides.map(({ name, document }) => (
            <Stack key={name} gap="xs" role="group" aria-label={name}>
              <Title order={3}>{name}</Title>
              {changes(store.stored.document, document)}
            </Stack>
          ))}
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
