import { List, Text } from "@mantine/core";
import type { ChangeView } from "@/api/schema";
import { editorTexts } from "@/features/editor/texts";
import type { FlowNames } from "../logic/rules";
import { changeInWords, isSeen } from "./changes";

interface ChangeListProps {
  changes: readonly ChangeView[];
  names: FlowNames;
}

/** Changes of a document in words. */
export function ChangeList({ changes: all, names }: ChangeListProps) {
  const changes = all.filter(isSeen);
  if (changes.length === 0) {
    return <Text c="dimmed">{editorTexts.changes.none}</Text>;
  }
  return (
    <List size="sm" spacing={4}>
      {changes.map((change) => (
        <List.Item key={`${change.op} ${change.path}`}>{changeInWords(change, names)}</List.Item>
      ))}
    </List>
  );
}
