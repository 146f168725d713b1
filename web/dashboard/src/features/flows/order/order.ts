import type { FlowView } from "@/api/schema";
import { isBehindDefault } from "@/features/audience/words";

type OrderedFlow = Pick<FlowView, "id" | "status" | "is_default" | "targeting">;

/**
 * Return the flows of a list as it shows them: the default flow behind those that are tried before it, then the archived
 * ones, unless they are hidden. A page of archived flows alone shows them.
 */
export function shownFlows<Flow extends Pick<FlowView, "status" | "is_default">>(
  flows: readonly Flow[],
  hidesArchived: boolean,
): Flow[] {
  const isArchived = ({ status }: Flow) => status === "archived";
  const kept = flows.filter((flow) => !isArchived(flow));
  const archived = hidesArchived && kept.length > 0 ? [] : flows.filter(isArchived);
  return [...kept.filter(({ is_default }) => !is_default), ...kept.filter(({ is_default }) => is_default), ...archived];
}

/** A flow that changes its place, and the flows with conditions that it passes. */
export interface Move<Flow> {
  flow: Flow;
  passed: Flow[];
  isUp: boolean;
}

/**
 * Return what the move of a flow among others changes for devices; null for nothing. Devices try the active flows with
 * conditions in order, so only the places of these to each other count.
 */
export function moveOf<Flow extends OrderedFlow>(
  flows: readonly Flow[],
  from: number,
  to: number,
  defaultFlowId: string | null,
): Move<Flow> | null {
  const isTried = (flow: Flow) => flow.status === "active" && !flow.is_default && !isBehindDefault(flow, defaultFlowId);
  const flow = flows[from];
  const passed = (to < from ? flows.slice(to, from) : flows.slice(from + 1, to + 1)).filter(isTried);
  return flow && isTried(flow) && passed.length > 0 ? { flow, passed, isUp: to < from } : null;
}
