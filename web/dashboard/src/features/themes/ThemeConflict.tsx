import { List, Text } from "@mantine/core";
import { ConflictDialog } from "@/features/editor/draft/ConflictDialog";
import { editorTexts } from "@/features/editor/texts";
import { changesInWords } from "./changes";
import type { EditedTheme } from "./queries";
import type { ThemeStore } from "./ThemeEditor";
import { themeTexts } from "./texts";

interface ThemeConflictProps {
  store: ThemeStore;
  theirs: EditedTheme;
  onClose: () => void;
}

/** The conflict of a theme. */
export function ThemeConflict({ store, theirs, onClose }: ThemeConflictProps) {
  return (
    <ConflictDialog
      title={themeTexts.conflictTitle}
      store={store}
      theirs={theirs}
      changes={(base, side) => <Changes changes={changesInWords(base, side)} />}
      onClose={onClose}
    />
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
