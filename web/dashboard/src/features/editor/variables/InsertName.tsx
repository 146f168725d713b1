import { ActionIcon, Menu, ScrollArea, Text } from "@mantine/core";
import { IconBraces } from "@tabler/icons-react";
import { Fragment, type RefObject, useState } from "react";
import { type Name, withFormat } from "./names";
import { variableTexts as words } from "./texts";

interface InsertNameProps {
  /** Called when the menu opens. */
  namesOf: () => readonly Name[];
  input: RefObject<HTMLInputElement | HTMLTextAreaElement | null>;
  /** Return what stands in front of the cursor and behind it. */
  wrap: (name: string) => [string, string];
  hasFormats?: boolean;
  onInsert: (text: string) => void;
}

/** A menu that inserts a name into a text or a formula at the cursor. */
export function InsertName(props: InsertNameProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Menu position="bottom-end" opened={isOpen} onChange={setOpen} width={264}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={words.insert} title={words.insert}>
          <IconBraces size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{isOpen && <Items {...props} />}</Menu.Dropdown>
    </Menu>
  );
}

function Items({ namesOf, input, wrap, hasFormats = false, onInsert }: InsertNameProps) {
  const names = namesOf();
  const groups = [...new Set(names.map(({ group }) => group))];
  const field = input.current;
  const { value = "", selectionStart, selectionEnd } = field ?? {};
  const [start, end] = [selectionStart ?? value.length, selectionEnd ?? value.length];
  function put(text: string, cursor: number) {
    onInsert(text);
    // After the field has the new text, and the menu has given back the focus.
    setTimeout(() => {
      field?.focus();
      field?.setSelectionRange(cursor, cursor);
    }, 50);
  }
  function insert(name: string) {
    const [before, behind] = wrap(name);
    put(value.slice(0, start) + before + behind + value.slice(end), start + before.length);
  }
  const isInName = withFormat(value, start, "number") !== null;
  return (
    <ScrollArea.Autosize mah={320} type="auto">
      {groups.map((group) => (
        <Fragment key={group}>
          <Menu.Label>{group}</Menu.Label>
          {names
            .filter((one) => one.group === group)
            .map(({ name, label }) => (
              <Menu.Item key={name} onClick={() => insert(name)}>
                <Text size="sm">{label}</Text>
                {label !== name && !label.startsWith(name.slice(0, -1)) && (
                  <Text size="xs" c="dimmed">
                    {name}
                  </Text>
                )}
              </Menu.Item>
            ))}
        </Fragment>
      ))}
      {hasFormats && (
        <>
          <Menu.Label>{words.formats}</Menu.Label>
          {!isInName && (
            <Text size="xs" px="sm" pb="xs">
              {words.noName}
            </Text>
          )}
          {isInName &&
            Object.entries(words.formatNames).map(([format, label]) => (
              <Menu.Item key={format} onClick={() => put(withFormat(value, start, format) ?? value, start)}>
                {label}
              </Menu.Item>
            ))}
        </>
      )}
    </ScrollArea.Autosize>
  );
}
