import { queryOptions } from "@tanstack/react-query";
import { api } from "@/api/client";
import { dataOf, pageOf, taggedOf } from "@/api/responses";
import type { DraftBody, FlowViewWithContent, PublishBody, ScheduleBody } from "@/api/schema";
import { OPTIONAL_QUERY } from "@/ui/optionalQuery";
import { documentOf, type FlowDocument } from "./document";

/** The flow that an editor loads: its draft, or the live flow without a draft. */
export interface EditedFlow {
  flow: FlowViewWithContent;
  /** The entity tag of the live flow. */
  liveEtag: string | null;
  document: FlowDocument;
  /** The entity tag of the draft; null without a draft. */
  etag: string | null;
  baseVersion: number;
  /** Greater than `baseVersion` if the live flow has changed since the draft was created. */
  liveVersion: number;
  liveScreens: readonly string[];
  savedBy: string | null;
  savedAt: string | null;
}

const pathOf = (flowId: string) => ({ path: { flow_id: flowId } });

/** Return a flow with its draft. */
export async function fetchEdited(flowId: string, signal?: AbortSignal): Promise<EditedFlow> {
  const { data: flow, etag: liveEtag } = await taggedOf(
    api.GET("/api/flows/{flow_id}", { params: { ...pathOf(flowId), query: { include: "draft" } }, signal }),
  );
  const liveVersion = flow.version ?? 1;
  const live = { flow, liveEtag, liveVersion, liveScreens: flow.screens.map(({ id }) => id) };
  if (!flow.has_draft) {
    const none = { etag: null, savedBy: null, savedAt: null };
    return { ...live, ...none, document: documentOf(flow), baseVersion: liveVersion };
  }
  const { data, etag } = await taggedOf(api.GET("/api/flows/{flow_id}/draft", { params: pathOf(flowId), signal }));
  return {
    ...live,
    document: data.document,
    etag,
    baseVersion: data.base_version,
    liveVersion: data.live_version,
    savedBy: data.updated_by,
    savedAt: data.updated_at,
  };
}

/** Return the header of a save: the draft must be the one with this entity tag, or there must be none. */
function draftPrecondition(etag: string | null) {
  return etag === null ? ({ "If-None-Match": "*" } as const) : { "If-Match": etag };
}

/** Save a document as the draft, unless another one was saved since the flow was fetched. */
export function saveDraft(edited: EditedFlow, body: DraftBody) {
  return taggedOf(
    api.PUT("/api/flows/{flow_id}/draft", {
      params: { ...pathOf(edited.flow.id), header: draftPrecondition(edited.etag) },
      body,
    }),
  );
}

/** The flow of an editor. It is read once, because the editor has the newest document from then on. */
export function editedQuery(flowId: string) {
  return queryOptions({
    queryKey: ["edited-flow", flowId],
    queryFn: ({ signal }) => fetchEdited(flowId, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** The errors and warnings of the draft; `revision` changes with each save. */
export function problemsQuery(flowId: string, revision: string | null) {
  return queryOptions({
    queryKey: ["draft-problems", flowId, revision],
    queryFn: ({ signal }) =>
      dataOf(api.POST("/api/flows/{flow_id}/draft/validate", { params: pathOf(flowId), signal })),
    enabled: revision !== null,
    ...OPTIONAL_QUERY,
  });
}

/** The draft of a flow with its approvals and versions. */
export function draftQuery(flowId: string) {
  return queryOptions({
    queryKey: ["draft", flowId],
    queryFn: ({ signal }) => dataOf(api.GET("/api/flows/{flow_id}/draft", { params: pathOf(flowId), signal })),
    staleTime: 0,
  });
}

/** The changes of the draft against the live flow. */
export function draftDiffQuery(flowId: string) {
  return queryOptions({
    queryKey: ["draft-diff", flowId],
    queryFn: ({ signal }) => dataOf(api.GET("/api/flows/{flow_id}/draft/diff", { params: pathOf(flowId), signal })),
    staleTime: 0,
  });
}

/** The signed-in user. */
export const userQuery = queryOptions({
  queryKey: ["user"],
  queryFn: ({ signal }) => dataOf(api.GET("/api/user", { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Publish the draft and return the new version. */
export function publish(flowId: string, body: PublishBody) {
  return dataOf(api.POST("/api/flows/{flow_id}/publish", { params: pathOf(flowId), body }));
}

/** Schedule a change of a flow and return the schedule. */
export function schedule(flowId: string, body: ScheduleBody) {
  return dataOf(api.POST("/api/flows/{flow_id}/schedules", { params: pathOf(flowId), body }));
}

/** Approve the draft and return it. */
export function approve(flowId: string) {
  return dataOf(api.POST("/api/flows/{flow_id}/draft/approve", { params: pathOf(flowId) }));
}

export async function discardDraft(flowId: string): Promise<void> {
  await api.DELETE("/api/flows/{flow_id}/draft", { params: pathOf(flowId) });
}

/** Create a link that shows the draft, and return it. */
export function createPreviewLink(flowId: string) {
  return dataOf(api.POST("/api/flows/{flow_id}/preview-link", { params: pathOf(flowId), body: {} }));
}

/** The pending publication of a revision of the draft, or null. A change of the draft cancels it. */
export function scheduledPublicationQuery(flowId: string, revision: string | null) {
  return queryOptions({
    queryKey: ["schedules", flowId, "publication", revision],
    queryFn: async ({ signal }) => {
      const params = { ...pathOf(flowId), query: { limit: 100 } };
      const { items } = await pageOf(api.GET("/api/flows/{flow_id}/schedules", { params, signal }));
      return items.find(({ action, state }) => action === "publish" && state === "pending") ?? null;
    },
    enabled: revision !== null,
    staleTime: 0,
    ...OPTIONAL_QUERY,
  });
}
