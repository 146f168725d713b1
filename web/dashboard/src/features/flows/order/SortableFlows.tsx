import { arrayMove } from "@dnd-kit/sortable";
import { Table, VisuallyHidden } from "@mantine/core";
import { type QueryKey, useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode, useState } from "react";
import { projectQuery, useProjectId } from "@/api/projects";
import type { ListedFlowView } from "@/api/schema";
import { toastError } from "@/ui/feedback/feedback";
import { lazyDialog } from "@/ui/feedback/lazyDialog";
import { Sortable, useSortableEntry } from "@/ui/Sortable";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { FlowMenu } from "../FlowMenu";
import { FLOW_COLUMNS } from "../flowColumns";
import { flowTexts } from "../texts";
import { type Move, moveOf } from "./order";
import { inOrder, useMoveFlow } from "./useMoveFlow";

const OrderQuestion = lazyDialog(async () => (await import("./OrderQuestion")).OrderQuestion);

/** The handle of the row around a cell. */
const Handle = createContext<ReactNode>(null);

const HANDLES: Column<ListedFlowView> = {
  key: "order",
  header: <VisuallyHidden>{flowTexts.order}</VisuallyHidden>,
  width: 36,
  render: () => <Handle.Consumer>{(handle) => handle}</Handle.Consumer>,
};

interface SortableFlowsProps {
  flows: ListedFlowView[];
  /** The key of the query of the list. */
  queryKey: QueryKey;
  /** Whether rows can be moved: not in the results of a search. */
  sortable: boolean;
}

/** Whether a flow can be moved: the default flow is tried last, and archived ones are not tried. */
const hasPlace = ({ status, is_default }: ListedFlowView) => status !== "archived" && !is_default;

/** The list of flows for editors: rows are moved by dragging, by the keyboard, or by their menu. */
export function SortableFlows({ flows: listed, queryKey, sortable }: SortableFlowsProps) {
  const projectId = useProjectId();
  const move = useMoveFlow(projectId, queryKey);
  const project = useQuery(projectQuery(projectId)).data?.data;
  /** A move that is shown, and made after a question. */
  const [asked, setAsked] = useState<{ ids: string[]; move: Move<ListedFlowView> } | null>(null);
  const flows = asked ? inOrder(listed, asked.ids) : listed;
  const movable = flows.filter(hasPlace).map(({ id }) => id);
  const placeOf = (flow: ListedFlowView) => (sortable ? movable.indexOf(flow.id) : -1);

  function moveTo(flowId: string, place: number) {
    const from = movable.indexOf(flowId);
    if (from !== -1 && place >= 0 && place < movable.length && from !== place) {
      const ids = arrayMove(movable, from, place);
      const places = flows.filter(hasPlace);
      const changed = moveOf(places, from, place, project?.settings.default_flow_id ?? null);
      if (changed) {
        setAsked({ ids, move: changed });
      } else {
        move(ids).catch((error) => toastError(error, flowTexts.orderFailed));
      }
    }
  }
  return (
    <Sortable ids={movable} nameOf={(id) => flows.find((flow) => flow.id === id)?.name ?? ""} onMove={moveTo}>
      <DataTable
        label={flowTexts.title}
        columns={sortable ? [HANDLES, ...FLOW_COLUMNS] : FLOW_COLUMNS}
        rows={flows}
        rowKey={(flow) => flow.id}
        row={(flow, cells) => (
          <FlowRow key={flow.id} flow={flow} isMovable={placeOf(flow) !== -1}>
            {cells}
          </FlowRow>
        )}
        menu={(flow) => (
          <FlowMenu
            flow={flow}
            movable={placeOf(flow) !== -1}
            place={placeOf(flow)}
            places={movable.length}
            onMove={(place) => moveTo(flow.id, place)}
          />
        )}
      />
      {asked && (
        <OrderQuestion
          projectId={projectId}
          move={asked.move}
          onConfirm={() => move(asked.ids)}
          onClose={() => setAsked(null)}
        />
      )}
    </Sortable>
  );
}

interface FlowRowProps {
  flow: ListedFlowView;
  isMovable: boolean;
  children: ReactNode;
}

function FlowRow({ flow, isMovable, children }: FlowRowProps) {
  const { ref, style, handle } = useSortableEntry({ id: flow.id, name: flow.name, disabled: !isMovable });
  return (
    <Handle value={isMovable ? handle : null}>
      <Table.Tr ref={ref} style={style}>
        {children}
      </Table.Tr>
    </Handle>
  );
}
