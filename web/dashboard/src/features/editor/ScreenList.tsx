import { closestCenter, DndContext, KeyboardSensor, PointerSensor, useSensor, useSensors } from "@dnd-kit/core";
import { restrictToVerticalAxis } from "@dnd-kit/modifiers";
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from "@dnd-kit/sortable";
import { CSS } from "@dnd-kit/utilities";
import { ActionIcon, Button, Menu, Stack, Text, UnstyledButton } from "@mantine/core";
import {
  IconAlertCircle,
  IconArrowDown,
  IconArrowUp,
  IconCopy,
  IconGripVertical,
  IconPlus,
  IconTrash,
} from "@tabler/icons-react";
import type { KeyboardEvent } from "react";
import { texts } from "@/texts";
import { dragAnnouncements } from "@/ui/dragAnnouncements";
import { RowMenu } from "@/ui/table/RowMenu";
import { FLOW, type FlowDocument, type FlowScreen, screenName, typeName } from "./document";
import classes from "./Editor.module.css";
import type { FieldErrors } from "./form/problems";

const words = texts.editor;

interface ScreenListProps {
  document: FlowDocument;
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
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const placeOf = (id: string) => screens.findIndex((screen) => screen.id === id);

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
          onClick={() => onOpen(FLOW)}
          onKeyDown={(event) => handleKey(event, -1)}
          pl="xs"
        >
          <Text size="sm">{words.flow}</Text>
        </UnstyledButton>
        {errors.has(FLOW) && <ErrorIcon />}
      </div>
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        modifiers={[restrictToVerticalAxis]}
        onDragEnd={({ active, over }) => over && onMove(String(active.id), placeOf(String(over.id)))}
        accessibility={{
          announcements: dragAnnouncements(
            screens.map(({ id }) => id),
            (id) =>
              screens
                .filter((screen) => screen.id === id)
                .map(screenName)
                .join(""),
          ),
          screenReaderInstructions: { draggable: texts.ui.drag.instructions },
        }}
      >
        <SortableContext items={screens.map(({ id }) => id)} strategy={verticalListSortingStrategy}>
          {screens.map((screen, place) => (
            <ScreenRow
              key={screen.id}
              {...props}
              screen={screen}
              place={place}
              onKeyDown={(event) => handleKey(event, place)}
            />
          ))}
        </SortableContext>
      </DndContext>
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
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id: screen.id,
    disabled,
  });
  const name = screenName(screen);
  const isSelected = selected === screen.id;
  return (
    <div
      ref={setNodeRef}
      className={classes.screen}
      data-selected={isSelected || undefined}
      style={{
        transform: CSS.Translate.toString(transform),
        transition,
        position: isDragging ? "relative" : undefined,
        zIndex: isDragging ? 1 : undefined,
        background: isDragging ? "var(--app-hover)" : undefined,
      }}
    >
      {!disabled && (
        <ActionIcon
          ref={setActivatorNodeRef}
          variant="subtle"
          color="gray"
          size="sm"
          style={{ cursor: isDragging ? "grabbing" : "grab", touchAction: "none" }}
          {...attributes}
          {...listeners}
          aria-label={texts.flows.dragHandle(name)}
        >
          <IconGripVertical size={16} />
        </ActionIcon>
      )}
      <UnstyledButton
        id={`screen-${screen.id}`}
        className={classes.choose}
        aria-current={isSelected}
        onClick={() => onOpen(screen.id)}
        onKeyDown={props.onKeyDown}
      >
        <Text size="sm" truncate>
          {name}
        </Text>
        <Text size="xs" c={isSelected ? undefined : "dimmed"} truncate>
          {typeName(screen.type)}
        </Text>
      </UnstyledButton>
      {errors.has(screen.id) && <ErrorIcon />}
      {!disabled && (
        <RowMenu name={name}>
          <Menu.Item
            leftSection={<IconArrowUp size={18} />}
            disabled={place === 0}
            onClick={() => onMove(screen.id, place - 1)}
          >
            {texts.flows.moveUp}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArrowDown size={18} />}
            disabled={place === document.screens.length - 1}
            onClick={() => onMove(screen.id, place + 1)}
          >
            {texts.flows.moveDown}
          </Menu.Item>
          <Menu.Item leftSection={<IconCopy size={18} />} onClick={() => onDuplicate(screen)}>
            {texts.flows.duplicate}
          </Menu.Item>
          <Menu.Item leftSection={<IconTrash size={18} />} onClick={() => onDelete(screen)}>
            {words.deleteScreen}
          </Menu.Item>
        </RowMenu>
      )}
    </div>
  );
}
