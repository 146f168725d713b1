import { Button, Group, List, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { editorTexts } from "@/features/editor/texts";
import { memberNamesQuery } from "@/features/members/queries";
import { texts } from "@/texts";
import { Dialog } from "@/ui/feedback/Dialog";
import { Time } from "@/ui/values/format";
import { changesInWords } from "./changes";
import type { EditedTheme } from "./queries";
import type { ThemeStore } from "./ThemeEditor";
import { themeTexts } from "./texts";

const words = editorTexts.conflict;

interface ThemeConflictProps {
  store: ThemeStore;
  theirs: EditedTheme;
  onClose: () => void;
}

/** A dialog with the changes of both sides of a conflict since their last common document. */
export function ThemeConflict({ store, theirs, onClose }: ThemeConflictProps) {
  const members = useQuery(memberNamesQuery(theirs.theme.project_id)).data;
  const base = store.stored.document;
  const who = members?.get(theirs.savedBy ?? "") ?? words.someone;
  const sides = [
    { title: words.mine, changes: changesInWords(base, store.document) },
    { title: words.theirs, changes: changesInWords(base, theirs.document) },
  ];
  return (
    <Dialog title={themeTexts.conflictTitle} size="xl" onClose={onClose}>
      <Stack gap="lg">
        <Text>
          {theirs.etag === null ? words.gone : words.text(who)}{" "}
          {theirs.savedAt && <Time value={theirs.savedAt} c="dimmed" />} {words.rest}
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
          {sides.map(({ title, changes }) => (
            <Stack key={title} gap="xs" role="group" aria-label={title}>
              <Title order={3}>{title}</Title>
              <Changes changes={changes} />
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

/** Changes of a theme in words. */
export function Changes({ changes }: { changes: readonly string[] }) {
  if (changes.length === 0) {
    return <Text c="dimmed">{editorTexts.changes.none}</Text>;
  }
  return (
    <List size="sm" spacing={4}>
      {changes.map((change) => (
        <List.Item key={change}>{change}</List.Item>
      ))}
    </List>
  );
}
