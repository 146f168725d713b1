import {
  type Announcements,
  closestCenter,
  DndContext,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import { restrictToVerticalAxis } from "@dnd-kit/modifiers";
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from "@dnd-kit/sortable";
import { CSS } from "@dnd-kit/utilities";
import { ActionIcon } from "@mantine/core";
import { IconGripVertical } from "@tabler/icons-react";
import type { CSSProperties, ReactNode } from "react";
import { texts } from "@/texts";

const words = texts.ui.drag;

interface SortableProps {
  /** The ids of the entries in their order. */
  ids: readonly string[];
  nameOf: (id: string) => string;
  onMove: (id: string, place: number) => void;
  children: ReactNode;
}

/** A list whose entries are moved by their handles, with the pointer or the keyboard. */
export function Sortable({ ids, nameOf, onMove, children }: SortableProps) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const name = (id: string | number) => nameOf(String(id));
  const place = (id: string | number) => ids.indexOf(String(id)) + 1;
  const announcements: Announcements = {
    onDragStart: ({ active }) => words.start(name(active.id)),
    onDragOver: ({ active, over }) => (over ? words.over(name(active.id), place(over.id)) : undefined),
    onDragEnd: ({ active, over }) => (over ? words.end(name(active.id), place(over.id)) : undefined),
    onDragCancel: ({ active }) => words.cancel(name(active.id)),
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      modifiers={[restrictToVerticalAxis]}
      onDragEnd={({ active, over }) => {
        if (over && over.id !== active.id) {
          onMove(String(active.id), ids.indexOf(String(over.id)));
        }
      }}
      accessibility={{ announcements, screenReaderInstructions: { draggable: words.instructions } }}
    >
      <SortableContext items={[...ids]} strategy={verticalListSortingStrategy}>
        {children}
      </SortableContext>
    </DndContext>
  );
}

interface EntryOptions {
  id: string;
  name: string;
  disabled?: boolean;
  tabIndex?: number;
}

/** Return the reference and the style of the element of an entry, and the handle that moves it. */
export function useSortableEntry({ id, name, disabled = false, tabIndex }: EntryOptions) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id,
    disabled,
  });
  const style: CSSProperties = {
    transform: CSS.Translate.toString(transform),
    transition,
    ...(isDragging && { position: "relative", zIndex: 1, background: "var(--app-hover)" }),
  };
  const handle = (
    <ActionIcon
      ref={setActivatorNodeRef}
      variant="subtle"
      color="gray"
      size="sm"
      style={{ cursor: isDragging ? "grabbing" : "grab", touchAction: "none" }}
      {...attributes}
      {...listeners}
      {...(tabIndex !== undefined && { tabIndex })}
      aria-label={texts.ui.drag.handle(name)}
    >
      <IconGripVertical size={16} />
    </ActionIcon>
  );
  return { ref: setNodeRef, style, handle };
}
