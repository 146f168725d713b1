import { Badge, Button, Table, Text } from "@mantine/core";
import { type KeyboardEvent, memo } from "react";
import { keyOf, type Translated, type TranslationRow } from "./queries";
import type { SaverState } from "./saver";
import { TranslationInput } from "./TranslationInput";
import classes from "./Translations.module.css";
import { translationTexts as words } from "./texts";

interface EditProps {
  locale: string;
  canEdit: boolean;
  onEdit: (key: string, edit: Translated) => void;
  /** Called when a text is left. */
  onLeave: () => void;
}

interface TableProps extends EditProps {
  rows: readonly TranslationRow[];
  saver: SaverState;
}

const COLORS = { missing: "red", outdated: "yellow", done: "teal" } as const;

/** Texts with their translations, which are edited in place. */
export function TranslationsTable({ rows, saver, ...edit }: TableProps) {
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
          return <Row key={key} row={row} edited={saver.edits[key]} refused={saver.refused[key]} {...edit} />;
        })}
      </Table.Tbody>
    </Table>
  );
}

interface RowProps extends EditProps {
  row: TranslationRow;
  edited: Translated | undefined;
  refused: string | undefined;
}

/** A text. Typing renders its row alone. */
const Row = memo(function Row({ row, edited, refused, locale, canEdit, onEdit, onLeave }: RowProps) {
  const key = keyOf(row);
  const text = edited?.text ?? row.text;
  return (
    <Table.Tr className={classes.row}>
      <Table.Td>
        <Text size="xs" c="dimmed" truncate title={row.pointer}>
          {[row.flow_name, row.screen_name ?? words.unnamed].filter(Boolean).join(" · ")}
        </Text>
        <Text dir="auto" className={classes.text}>
          {row.base}
        </Text>
      </Table.Td>
      <Table.Td>
        <TranslationInput
          aria-label={words.translationOf(row.base)}
          aria-invalid={refused !== undefined}
          data-state={text ? row.state : "missing"}
          locale={locale}
          base={row.base}
          readOnly={!canEdit}
          value={text}
          onChange={({ target }) => onEdit(key, { text: target.value, base: row.base })}
          onBlur={onLeave}
        />
        {refused && (
          <Text size="xs" c="red" role="alert">
            {refused}
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Badge
          variant="light"
          color={row.machine ? "yellow" : COLORS[row.state]}
          title={row.state === "outdated" ? words.outdatedHelp : row.machine ? words.machineHelp : undefined}
        >
          {row.machine && row.state === "done" ? words.machine : words.states[row.state]}
        </Badge>
        {canEdit && (row.state === "outdated" || row.machine) && (
          <Button
            variant="subtle"
            size="compact-xs"
            aria-label={words.confirmOf(row.base)}
            onClick={() => {
              onEdit(key, { text, base: row.base, confirmed: true });
              onLeave();
            }}
          >
            {words.confirm}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
});

/** Go to the next text by Enter, and to the next missing one by Ctrl+Enter. An input method uses Enter itself. */
function follow(event: KeyboardEvent<HTMLElement>) {
  if (!(event.target instanceof HTMLTextAreaElement)) {
    return;
  }
  if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) {
    return;
  }
  event.preventDefault();
  const fields = [...event.currentTarget.querySelectorAll("textarea")];
  const rest = fields.slice(fields.indexOf(event.target) + 1);
  const isWanted = ({ dataset }: HTMLElement) => !(event.ctrlKey || event.metaKey) || dataset.state === "missing";
  rest.find(isWanted)?.focus();
}
