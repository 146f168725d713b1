import type { QueryClient } from "@tanstack/react-query";
import { api } from "@/api/client";
import { projectQuery } from "@/api/projects";
import { taggedOf } from "@/api/responses";
import type { FlowStatus, FlowView } from "@/api/schema";
import { changedSince } from "@/ui/feedback/feedback";
import { updateFlow } from "./queries";
import { flowTexts } from "./texts";

/** The acts on a flow that change which devices get it. */
export type LiveAct = "activate" | "deactivate" | "archive" | "default";
export type ActedFlow = Pick<FlowView, "id" | "name" | "project_id" | "status" | "is_default" | "targeting">;

const STATUS_AFTER = { activate: "active", deactivate: "draft", archive: "archived" } as const;

/** What an act has done: the words of it, and the function that takes it back unless another person was faster. */
interface Done {
  message: string;
  undo: () => Promise<unknown>;
}

/** Do an act on a flow. `formerDefault` is the default flow before it. */
export async function carryOut(
  client: QueryClient,
  act: LiveAct,
  flow: ActedFlow,
  formerDefault: string | null,
): Promise<Done> {
  const { id, name, status, is_default } = flow;
  if (act === "default") {
    const { etag } = await updateFlow(id, { is_default: true });
    return {
      message: flowTexts.madeDefault(name),
      undo: () =>
        formerDefault === null
          ? updateFlow(id, { is_default: false }, etag)
          : replaceDefault(client, flow.project_id, id, formerDefault),
    };
  }
  const { etag } = await updateFlow(id, { status: STATUS_AFTER[act] });
  return {
    message: flowTexts.changed[act](name),
    undo: async () => {
      await updateFlow(id, { status }, etag);
      if (act === "archive" && is_default) {
        // An archived flow is no default.
        await replaceDefault(client, flow.project_id, null, id);
      }
    },
  };
}

/**
 * Make a flow the default in place of the one that is expected. No entity tag of a flow tells of another default, so it
 * is read first.
 */
export async function replaceDefault(client: QueryClient, projectId: string, expected: string | null, flowId: string) {
  const { data } = await client.fetchQuery({ ...projectQuery(projectId), staleTime: 0 });
  if (data.settings.default_flow_id !== expected) {
    throw changedSince();
  }
  return updateFlow(flowId, { is_default: true });
}

/** Take back that a publication made a flow active: only while the flow is active with the version. */
export async function takeBackActivation(flowId: string, version: number, status: FlowStatus) {
  const path = { flow_id: flowId };
  const { data, etag } = await taggedOf(api.GET("/api/flows/{flow_id}", { params: { path } }));
  if (data.status !== "active" || data.version !== version) {
    throw changedSince();
  }
  return updateFlow(flowId, { status }, etag);
}
