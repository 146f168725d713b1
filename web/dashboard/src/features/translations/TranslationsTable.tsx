import { Button, Table, Text } from "@mantine/core";
import { type KeyboardEvent, memo, useSyncExternalStore } from "react";
import { keyOf, type Translated, type TranslationRow } from "./queries";
import { StateBadge } from "./StateBadge";
import type { TranslationSaver } from "./saver";
import { TranslationInput } from "./TranslationInput";
import classes from "./Translations.module.css";
import { translationTexts as words } from "./texts";

interface EditProps {
  locale: string;
  saver: TranslationSaver;
  canEdit: boolean;
  onEdit: (key: string, edit: Translated) => void;
  /** Called when a text is left. */
  onLeave: () => void;
}

interface TableProps extends EditProps {
  rows: readonly TranslationRow[];
}

/** Texts with their translations, which are edited in place. */
export function TranslationsTable({ rows, ...edit }: TableProps) {
  return (
    <Table aria-label={words.title} className={classes.table} verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr className={classes.head}>
          <Table.Th>{words.base}</Table.Th>
          <Table.Th>{words.translation}</Table.Th>
          <Table.Th>{words.state}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody onKeyDown={follow}>
        {rows.map((row) => (
          <Row key={keyOf(row)} row={row} {...edit} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

interface RowProps extends EditProps {
  row: TranslationRow;
}

/** A text. Typing renders its row alone. */
const Row = memo(function Row({ row, saver, locale, canEdit, onEdit, onLeave }: RowProps) {
  const key = keyOf(row);
  const edited = useSyncExternalStore(saver.subscribe, () => saver.getState().edits[key]);
  const refused = useSyncExternalStore(saver.subscribe, () => saver.getState().refused[key]);
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
      <Table.Td className={classes.state}>
        <StateBadge state={row.state} isMachine={row.machine === true} />
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
