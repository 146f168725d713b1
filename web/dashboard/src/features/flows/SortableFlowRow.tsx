import { useSortable } from "@dnd-kit/sortable";
import { CSS } from "@dnd-kit/utilities";
import { ActionIcon, Table } from "@mantine/core";
import { IconGripVertical } from "@tabler/icons-react";
import type { ListedFlowView } from "@/api/schema";
import { texts } from "@/texts";
import { cellProps } from "@/ui/table/DataTable";
import classes from "@/ui/table/DataTable.module.css";
import { FlowMenu } from "./FlowMenu";
import { FLOW_COLUMNS } from "./flowColumns";

interface SortableFlowRowProps {
  flow: ListedFlowView;
  sortable: boolean;
  /** Its place among the flows that can be moved, -1 for an archived one. */
  place: number;
  places: number;
  onMove: (place: number) => void;
}

/** A row with a handle that drags it, and with the menu of the flow. */
export function SortableFlowRow({ flow, sortable, place, places, onMove }: SortableFlowRowProps) {
  const movable = sortable && place !== -1;
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id: flow.id,
    disabled: !movable,
  });
  return (
    <Table.Tr
      ref={setNodeRef}
      style={{
        transform: CSS.Translate.toString(transform),
        transition,
        position: isDragging ? "relative" : undefined,
        zIndex: isDragging ? 1 : undefined,
        background: isDragging ? "var(--app-hover)" : undefined,
      }}
    >
      {sortable && (
        <Table.Td>
          {movable && (
            <ActionIcon
              ref={setActivatorNodeRef}
              variant="subtle"
              color="gray"
              style={{ cursor: isDragging ? "grabbing" : "grab", touchAction: "none" }}
              {...attributes}
              {...listeners}
              aria-label={texts.flows.dragHandle(flow.name)}
            >
              <IconGripVertical size={18} />
            </ActionIcon>
          )}
        </Table.Td>
      )}
      {FLOW_COLUMNS.map((column) => (
        <Table.Td key={column.key} {...cellProps(column)}>
          {column.render(flow)}
        </Table.Td>
      ))}
      <Table.Td className={classes.menu}>
        <FlowMenu flow={flow} movable={movable} place={place} places={places} onMove={onMove} />
      </Table.Td>
    </Table.Tr>
  );
}
