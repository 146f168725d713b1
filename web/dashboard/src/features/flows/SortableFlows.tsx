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
import { type QueryKey, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Page } from "@/api/responses";
import type { ListedFlowView } from "@/api/schema";
import { projectQuery, useProjectId } from "@/features/projects/queries";
import { texts } from "@/texts";
import { dragAnnouncements } from "@/ui/dragAnnouncements";
import { toastError } from "@/ui/feedback";
import { lazyDialog } from "@/ui/lazyDialog";
import { cellProps } from "@/ui/table/DataTable";
import classes from "@/ui/table/DataTable.module.css";
import { FLOW_COLUMNS } from "./flowColumns";
import { type Move, moveOf } from "./order";
import { SortableFlowRow } from "./SortableFlowRow";
import { inOrder, useMoveFlow } from "./useMoveFlow";

const OrderQuestion = lazyDialog(async () => (await import("./OrderQuestion")).OrderQuestion);

interface SortableFlowsProps {
  page: Page<ListedFlowView>;
  /** The key of the query of the page. */
  queryKey: QueryKey;
  /** Whether rows can be moved: not in the results of a search. */
  sortable: boolean;
}

/** The list of flows for editors: rows are moved by dragging, by the keyboard, or by their menu. */
export function SortableFlows({ page, queryKey, sortable }: SortableFlowsProps) {
  const projectId = useProjectId();
  const move = useMoveFlow(projectId, queryKey);
  const project = useQuery(projectQuery(projectId)).data?.data;
  /** A move that is shown, and made after a question. */
  const [asked, setAsked] = useState<{ ids: string[]; move: Move<ListedFlowView> } | null>(null);
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const flows = asked ? inOrder(page.items, asked.ids) : page.items;
  const movable = flows.filter((flow) => flow.status !== "archived").map((flow) => flow.id);

  function moveTo(flowId: string, place: number) {
    const from = movable.indexOf(flowId);
    if (from !== -1 && place >= 0 && place < movable.length && from !== place) {
      const ids = arrayMove(movable, from, place);
      const places = flows.filter(({ status }) => status !== "archived");
      const changed = moveOf(places, from, place, project?.settings.default_flow_id ?? null);
      if (changed) {
        setAsked({ ids, move: changed });
      } else {
        move(ids).catch((error) => toastError(error, texts.flows.orderFailed));
      }
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
      {asked && (
        <OrderQuestion
          projectId={projectId}
          move={asked.move}
          onConfirm={() => move(asked.ids)}
          onClose={() => setAsked(null)}
        />
      )}
    </DndContext>
  );
}
