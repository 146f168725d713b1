import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/api/client";
import { keys } from "@/api/keys";
import { dataOf, pageOf, taggedOf } from "@/api/responses";
import type { FlowStatus, FlowUpdateBody } from "@/api/schema";

export interface FlowsSearch {
  page?: number;
  search?: string;
  status?: FlowStatus;
  limit?: number;
}

/** At most this many flows stand on one page of the list. */
export const FLOWS_LIMIT = 100;

/** The flows of a project in the order of their evaluation. */
export function flowsQuery(projectId: string, search: FlowsSearch) {
  return queryOptions({
    queryKey: [...keys.flows.list, projectId, search],
    queryFn: ({ signal }) =>
      pageOf(
        api.GET("/api/flows", {
          params: { query: { projectId, sort: "evaluation_order", include: "draft", limit: FLOWS_LIMIT, ...search } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
}

/** The screen templates of the service; they change with a release only. */
export const templatesQuery = queryOptions({
  queryKey: keys.service.templates,
  queryFn: async ({ signal }) =>
    (await pageOf(api.GET("/api/screen-templates", { params: { query: { limit: 100 } }, signal }))).items,
  staleTime: Number.POSITIVE_INFINITY,
});

/** Change members of a flow and return it; with an entity tag only if the flow still has it. */
export function updateFlow(flowId: string, body: FlowUpdateBody, etag: string | null = null) {
  const params = { path: { flow_id: flowId }, header: etag ? { "If-Match": etag } : undefined };
  return taggedOf(api.PUT("/api/flows/{flow_id}", { params, body }));
}

/** Delete a flow with its screens and its history. */
export async function deleteFlow(flowId: string): Promise<void> {
  await api.DELETE("/api/flows/{flow_id}", { params: { path: { flow_id: flowId } } });
}

/** Duplicate a flow and return the copy. */
export function duplicateFlow(flowId: string) {
  return dataOf(api.POST("/api/flows/{flow_id}/duplicate", { params: { path: { flow_id: flowId } } }));
}

/** The order of evaluation: the ids of all flows that are not archived, with its entity tag. */
export function flowOrderQuery(projectId: string) {
  return queryOptions({
    queryKey: [...keys.flows.order, projectId],
    queryFn: ({ signal }) =>
      taggedOf(
        api.GET("/api/projects/{project_id}/flows/order", { params: { path: { project_id: projectId } }, signal }),
      ),
  });
}

/** Replace the order of evaluation, unless another user has changed it since it was read; return its entity tag. */
export function replaceFlowOrder(projectId: string, etag: string | null, flowIds: string[]) {
  const params = { path: { project_id: projectId }, header: etag ? { "If-Match": etag } : undefined };
  return taggedOf(api.PUT("/api/projects/{project_id}/flows/order", { params, body: { flow_ids: flowIds } }));
}
