import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import { restrictToVerticalAxis } from "@dnd-kit/modifiers";
import {
  arrayMove,
  SortableContext,
  sortableKeyboardCoordinates,
  verticalListSortingStrategy,
} from "@dnd-kit/sortable";
import { Table, VisuallyHidden } from "@mantine/core";
import type { QueryKey } from "@tanstack/react-query";
import type { Page } from "@/api/responses";
import type { ListedFlowView } from "@/api/schema";
import { useProjectId } from "@/features/projects/queries";
import { texts } from "@/texts";
import { dragAnnouncements } from "@/ui/dragAnnouncements";
import { cellProps } from "@/ui/table/DataTable";
import classes from "@/ui/table/DataTable.module.css";
import { FLOW_COLUMNS } from "./flowColumns";
import { SortableFlowRow } from "./SortableFlowRow";
import { useMoveFlow } from "./useMoveFlow";

interface SortableFlowsProps {
  page: Page<ListedFlowView>;
  /** The key of the query of the page. */
  queryKey: QueryKey;
  /** Whether rows can be moved: not in the results of a search. */
  sortable: boolean;
}

/** The list of flows for editors: rows are moved by dragging, by the keyboard, or by their menu. */
export function SortableFlows({ page, queryKey, sortable }: SortableFlowsProps) {
  const move = useMoveFlow(useProjectId(), queryKey);
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const flows = page.items;
  const movable = flows.filter((flow) => flow.status !== "archived").map((flow) => flow.id);

  function moveTo(flowId: string, place: number) {
    const from = movable.indexOf(flowId);
    if (from !== -1 && place >= 0 && place < movable.length && from !== place) {
      move(arrayMove(movable, from, place));
    }
  }
  function dropped({ active, over }: DragEndEvent) {
    if (over) {
      moveTo(String(active.id), movable.indexOf(String(over.id)));
    }
  }

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      modifiers={[restrictToVerticalAxis]}
      onDragEnd={dropped}
      accessibility={{
        announcements: dragAnnouncements(movable, (id) => flows.find((flow) => flow.id === id)?.name ?? ""),
        screenReaderInstructions: { draggable: texts.ui.drag.instructions },
      }}
    >
      <SortableContext items={movable} strategy={verticalListSortingStrategy}>
        <Table className={classes.table} aria-label={texts.flows.title} highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              {sortable && (
                <Table.Th w={36}>
                  <VisuallyHidden>{texts.flows.order}</VisuallyHidden>
                </Table.Th>
              )}
              {FLOW_COLUMNS.map((column) => (
                <Table.Th key={column.key} w={column.width} {...cellProps(column)}>
                  {column.header}
                </Table.Th>
              ))}
              <Table.Th w={56}>
                <VisuallyHidden>{texts.ui.rowActions}</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {flows.map((flow) => (
              <SortableFlowRow
                key={flow.id}
                flow={flow}
                sortable={sortable}
                place={movable.indexOf(flow.id)}
                places={movable.length}
                onMove={(place) => moveTo(flow.id, place)}
              />
            ))}
          </Table.Tbody>
        </Table>
      </SortableContext>
    </DndContext>
  );
}
