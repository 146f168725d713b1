import { Badge, Table, Text } from "@mantine/core";
import type { KeyboardEvent } from "react";
import { keyOf, type Translated, type TranslationRow } from "./queries";
import type { SaverState } from "./saver";
import { TranslationInput } from "./TranslationInput";
import classes from "./Translations.module.css";
import { translationTexts as words } from "./texts";

interface TableProps {
  rows: readonly TranslationRow[];
  locale: string;
  saver: SaverState;
  canEdit: boolean;
  onEdit: (key: string, edit: Translated) => void;
  /** Called when a text is left. */
  onLeave: () => void;
}

const COLORS = { missing: "red", outdated: "yellow", done: "teal" } as const;

/** The texts of a flow with their translations, which are edited in place. */
export function TranslationsTable({ rows, locale, saver, canEdit, onEdit, onLeave }: TableProps) {
  return (
    <Table aria-label={words.title} layout="fixed" verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th w="42%">{words.base}</Table.Th>
          <Table.Th>{words.translation}</Table.Th>
          <Table.Th w={104} visibleFrom="sm">
            {words.state}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody onKeyDown={follow}>
        {rows.map((row) => {
          const key = keyOf(row);
          const text = saver.edits[key]?.text ?? row.text;
          const error = saver.refused[key] ?? (row.text && text === "" ? words.emptied : undefined);
          return (
            <Table.Tr key={key} className={classes.row}>
              <Table.Td>
                <Text size="xs" c="dimmed" truncate title={row.pointer}>
                  {row.screen_name ?? words.unnamed}
                </Text>
                <Text dir="auto" className={classes.text}>
                  {row.base}
                </Text>
              </Table.Td>
              <Table.Td>
                <TranslationInput
                  aria-label={words.translationOf(row.base)}
                  aria-invalid={error !== undefined}
                  data-state={text ? row.state : "missing"}
                  locale={locale}
                  base={row.base}
                  readOnly={!canEdit}
                  value={text}
                  onChange={({ target }) => onEdit(key, { text: target.value, base: row.base })}
                  onBlur={onLeave}
                />
                {error && (
                  <Text size="xs" c="red" role="alert">
                    {error}
                  </Text>
                )}
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <Badge
                  variant="light"
                  color={COLORS[row.state]}
                  title={row.state === "outdated" ? words.outdatedHelp : undefined}
                >
                  {words.states[row.state]}
                </Badge>
              </Table.Td>
            </Table.Tr>
          );
        })}
      </Table.Tbody>
    </Table>
  );
}

/** Go to the next text by Enter, and to the next missing one by Ctrl+Enter. An input method uses Enter itself. */
function follow(event: KeyboardEvent<HTMLElement>) {
  if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) {
    return;
  }
  event.preventDefault();
  const fields = [...event.currentTarget.querySelectorAll("textarea")];
  const rest = fields.slice(fields.indexOf(event.target as HTMLTextAreaElement) + 1);
  const isWanted = ({ dataset }: HTMLElement) => !(event.ctrlKey || event.metaKey) || dataset.state === "missing";
  rest.find(isWanted)?.focus();
}
