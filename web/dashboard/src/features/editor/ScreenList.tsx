import { Button, Menu, Stack, Text, UnstyledButton } from "@mantine/core";
import { IconAlertCircle, IconArrowDown, IconArrowUp, IconCopy, IconPlus, IconTrash } from "@tabler/icons-react";
import type { KeyboardEvent } from "react";
import type { FunnelScreenView } from "@/api/schema";
import { editorTexts } from "@/features/editor/texts";
import { flowTexts } from "@/features/flows/texts";
import type { PreviewedFlow } from "@/features/preview/pageDocument";
import { Thumbnail } from "@/features/preview/Thumbnail";
import { Sortable, useSortableEntry } from "@/ui/Sortable";
import { RowMenu } from "@/ui/table/RowMenu";
import { formatFraction } from "@/ui/values/format";
import { FLOW, type FlowDocument, type FlowScreen, screenName, typeName } from "./document";
import classes from "./Editor.module.css";
import type { FieldErrors } from "./form/problems";

const words = editorTexts;
const THUMBNAIL_WIDTH = 44;

interface ScreenListProps {
  document: FlowDocument;
  previewed: Omit<PreviewedFlow, "document">;
  /** The users of the live flow at its screens, by their ids. */
  reached: ReadonlyMap<string, FunnelScreenView>;
  selected: string;
  errors: FieldErrors;
  disabled: boolean;
  onSelect: (id: string) => void;
  /** Called after a click, to open the form of the screen. */
  onOpen: (id: string) => void;
  onMove: (id: string, place: number) => void;
  onAdd: () => void;
  onDuplicate: (screen: FlowScreen) => void;
  onDelete: (screen: FlowScreen) => void;
}

/** The screens of a flow. Arrow keys select; dragging, Alt with arrow keys, or the menu moves. */
export function ScreenList(props: ScreenListProps) {
  const { document, selected, errors, disabled, onSelect, onOpen, onMove, onAdd } = props;
  const { screens } = document;

  function handleKey(event: KeyboardEvent<HTMLElement>, place: number) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (step === undefined) {
      return;
    }
    event.preventDefault();
    const screen = screens[place];
    if (event.altKey && screen && !disabled) {
      onMove(screen.id, place + step);
    } else if (!event.altKey) {
      const next = place + step < 0 ? FLOW : screens[place + step]?.id;
      if (next !== undefined) {
        onSelect(next);
        window.document.getElementById(`screen-${next}`)?.focus();
      }
    }
  }

  return (
    <Stack gap={4} component="nav" aria-label={words.screens}>
      <div className={classes.screen} data-selected={selected === FLOW || undefined}>
        <UnstyledButton
          id={`screen-${FLOW}`}
          className={classes.choose}
          aria-current={selected === FLOW}
          tabIndex={screens.some(({ id }) => id === selected) ? -1 : 0}
          onClick={() => onOpen(FLOW)}
          onKeyDown={(event) => handleKey(event, -1)}
          pl="xs"
        >
          <Text size="sm">{words.flow}</Text>
        </UnstyledButton>
        {errors.has(FLOW) && <ErrorIcon />}
      </div>
      <Sortable
        ids={screens.map(({ id }) => id)}
        nameOf={(id) => {
          const screen = screens.find((entry) => entry.id === id);
          return screen ? screenName(screen) : "";
        }}
        onMove={onMove}
      >
        {screens.map((screen, place) => (
          <ScreenRow
            key={screen.id}
            {...props}
            screen={screen}
            place={place}
            onKeyDown={(event) => handleKey(event, place)}
          />
        ))}
      </Sortable>
      {!disabled && (
        <Button variant="default" mt="xs" leftSection={<IconPlus size={18} />} onClick={onAdd}>
          {words.addScreen}
        </Button>
      )}
    </Stack>
  );
}

function ErrorIcon() {
  return <IconAlertCircle size={18} className={classes.fault} role="img" aria-label={words.hasErrors} />;
}

interface ScreenRowProps extends ScreenListProps {
  screen: FlowScreen;
  place: number;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

function ScreenRow(props: ScreenRowProps) {
  const { screen, place, document, selected, errors, disabled, onOpen, onMove, onDuplicate, onDelete } = props;
  const name = screenName(screen);
  const users = props.reached.get(screen.id);
  const isSelected = selected === screen.id;
  // One stop of the Tab key for the list: that of the selected screen.
  const tabIndex = isSelected ? 0 : -1;
  const { ref, style, handle } = useSortableEntry({ id: screen.id, name, disabled, tabIndex });
  return (
    <div ref={ref} className={classes.screen} data-selected={isSelected || undefined} style={style}>
      {!disabled && handle}
      <Thumbnail flow={props.previewed} screen={screen} width={THUMBNAIL_WIDTH} />
      <UnstyledButton
        id={`screen-${screen.id}`}
        className={classes.choose}
        aria-current={isSelected}
        tabIndex={tabIndex}
        onClick={() => onOpen(screen.id)}
        onKeyDown={props.onKeyDown}
      >
        <Text size="sm" truncate>
          {name}
        </Text>
        <Text size="xs" c={isSelected ? undefined : "dimmed"} truncate>
          {typeName(screen.type)}
        </Text>
        {users && users.reached > 0 && (
          <Text size="xs" c={isSelected ? undefined : "dimmed"} truncate title={words.reachedHelp}>
            {words.reached(users.reached, users.drop_off_rate > 0 ? formatFraction(users.drop_off_rate) : null)}
          </Text>
        )}
      </UnstyledButton>
      {errors.has(screen.id) && <ErrorIcon />}
      {!disabled && (
        <RowMenu name={name} tabIndex={tabIndex}>
          <Menu.Item
            leftSection={<IconArrowUp size={18} />}
            disabled={place === 0}
            onClick={() => onMove(screen.id, place - 1)}
          >
            {flowTexts.moveUp}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArrowDown size={18} />}
            disabled={place === document.screens.length - 1}
            onClick={() => onMove(screen.id, place + 1)}
          >
            {flowTexts.moveDown}
          </Menu.Item>
          <Menu.Item leftSection={<IconCopy size={18} />} onClick={() => onDuplicate(screen)}>
            {flowTexts.duplicate}
          </Menu.Item>
          <Menu.Item leftSection={<IconTrash size={18} />} onClick={() => onDelete(screen)}>
            {words.deleteScreen}
          </Menu.Item>
        </RowMenu>
      )}
    </div>
  );
}
