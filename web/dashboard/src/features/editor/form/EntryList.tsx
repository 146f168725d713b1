import { Fieldset, Group, Menu, Stack, Text } from "@mantine/core";
import { IconCopy, IconPlus, IconTrash } from "@tabler/icons-react";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { editorTexts } from "@/features/editor/texts";
import { flowTexts } from "@/features/flows/texts";
import { AddButton } from "@/ui/form/AddButton";
import { Sortable, useSortableEntry } from "@/ui/Sortable";
import { RowMenu } from "@/ui/table/RowMenu";

const words = editorTexts.fields;

interface EntryListProps {
  label: string;
  /** The label of the button that adds an entry. */
  add: string;
  list: readonly unknown[];
  blank: unknown;
  error: string | undefined;
  disabled: boolean;
  /** Return the copy of an entry for the list. */
  copyOf: (entry: unknown) => unknown;
  /** Whether pages show an entry. */
  isShown: (entry: unknown) => boolean;
  /** Whether no entry can be added. */
  isFull?: boolean;
  /** Whether an entry is one input beside its handle. */
  isLine?: boolean;
  onChange: (list: unknown[]) => void;
  children: (entry: unknown, place: number, change: (entry: unknown) => void) => ReactNode;
}

/** The entries of a list: they are moved by dragging, copied, and added by a button or by Enter. */
export function EntryList(props: EntryListProps) {
  const { label, add, list, blank, error, disabled, onChange } = props;
  const element = useRef<HTMLDivElement>(null);
  const [added, setAdded] = useState<number | null>(null);
  useEffect(() => {
    if (added !== null) {
      element.current?.querySelectorAll("[role=group]")[added]?.querySelector<HTMLElement>("input, textarea")?.focus();
      setAdded(null);
    }
  }, [added]);

  function insert(place: number, entry: unknown) {
    if (!props.isFull) {
      onChange(list.toSpliced(place, 0, entry));
      setAdded(place);
    }
  }
  // Entries have no ids, and each input shows its value.
  const ids = list.map((_, index) => String(index));
  return (
    <Fieldset legend={label} disabled={disabled} p="sm">
      <Stack gap={props.isLine ? "xs" : "md"} ref={element}>
        <Sortable
          ids={ids}
          nameOf={(id) => words.entry(label, Number(id) + 1)}
          onMove={(id, place) => onChange(list.toSpliced(Number(id), 1).toSpliced(place, 0, list[Number(id)]))}
        >
          {list.map((entry, index) => (
            <Entry
              key={ids[index]}
              {...props}
              entry={entry}
              index={index}
              onInsert={(inserted) => insert(index + 1, inserted)}
            />
          ))}
        </Sortable>
        {error && (
          <Text size="xs" c="var(--mantine-color-error)" role="alert">
            {error}
          </Text>
        )}
        {!disabled && !props.isFull && <AddButton label={add} onAdd={() => insert(list.length, blank)} />}
      </Stack>
    </Fieldset>
  );
}

interface EntryProps extends EntryListProps {
  entry: unknown;
  index: number;
  onInsert: (entry: unknown) => void;
}

function Entry(props: EntryProps) {
  const { label, list, blank, disabled, isLine, entry, index, copyOf, isShown, onInsert, onChange, children } = props;
  const name = words.entry(label, index + 1);
  const { ref, style, handle } = useSortableEntry({ id: String(index), name, disabled });
  const remove = () => onChange(list.toSpliced(index, 1));
  const content = children(entry, index, (changed) => onChange(list.with(index, changed)));

  function handleKey(event: KeyboardEvent<HTMLElement>) {
    const { target, key, ctrlKey, metaKey, nativeEvent } = event;
    const isText = target instanceof HTMLInputElement && target.type === "text" && !target.ariaHasPopup;
    if (key === "Enter" && isText && !ctrlKey && !metaKey && !nativeEvent.isComposing) {
      event.preventDefault();
      onInsert(blank);
    }
  }
  const tools = disabled ? null : (
    <RowMenu name={name}>
      <Menu.Item leftSection={<IconPlus size={18} />} onClick={() => onInsert(blank)}>
        {words.insertEntry}
      </Menu.Item>
      <Menu.Item leftSection={<IconCopy size={18} />} onClick={() => onInsert(copyOf(entry))}>
        {flowTexts.duplicate}
      </Menu.Item>
      <Menu.Item leftSection={<IconTrash size={18} />} onClick={remove}>
        {words.removeEntry}
      </Menu.Item>
    </RowMenu>
  );
  return (
    <Stack ref={ref} style={style} gap="xs" role="group" aria-label={isLine ? undefined : name} onKeyDown={handleKey}>
      <Group gap={4} wrap="nowrap" justify="space-between">
        {!disabled && handle}
        {isLine ? (
          content
        ) : (
          <Text size="xs" c="dimmed" flex={1}>
            {index + 1}
          </Text>
        )}
        {tools}
      </Group>
      {!isLine && content}
      {!isShown(entry) && (
        <Text size="xs" c="dimmed">
          {words.leftOut}
        </Text>
      )}
    </Stack>
  );
}
