import { queryOptions } from "@tanstack/react-query";
import { api } from "@/api/client";
import { ApiError } from "@/api/errors";
import { keys } from "@/api/keys";
import { dataOf, taggedOf } from "@/api/responses";
import type {
  DraftBody,
  DraftView,
  FlowViewWithContent,
  PublishBody,
  RestoreBody,
  ScheduleBody,
  VersionWithDocument,
} from "@/api/schema";
import { OPTIONAL_QUERY } from "@/ui/optionalQuery";
import { documentOf, type FlowDocument } from "./document";
import { withoutRefused } from "./languages/refused";

/** What an editor loads: the draft, or the live document without a draft. */
export interface Edited<Document> {
  document: Document;
  /** The entity tag of the draft; null without a draft. */
  etag: string | null;
  baseVersion: number;
  /** Greater than `baseVersion` if the live document has changed since the draft was created. */
  liveVersion: number;
  savedBy: string | null;
  savedAt: string | null;
}

/** The flow that an editor loads. */
export interface EditedFlow extends Edited<FlowDocument> {
  flow: FlowViewWithContent;
}

const pathOf = (flowId: string) => ({ path: { flow_id: flowId } });

/** Return a flow with its draft. */
export async function fetchEdited(flowId: string, signal?: AbortSignal): Promise<EditedFlow> {
  const fetchFlow = () =>
    dataOf(api.GET("/api/flows/{flow_id}", { params: { ...pathOf(flowId), query: { include: "draft" } }, signal }));
  let flow = await fetchFlow();
  const draft = flow.has_draft ? await fetchDraft(flowId, signal).catch(isNotFound) : null;
  if (flow.has_draft && draft === null) {
    // It was published or discarded between both reads.
    flow = await fetchFlow();
  }
  const liveVersion = flow.version ?? 1;
  if (draft === null) {
    const none = { etag: null, savedBy: null, savedAt: null };
    return { flow, document: documentOf(flow), baseVersion: liveVersion, liveVersion, ...none };
  }
  const { data, etag } = draft;
  return {
    flow,
    document: data.document,
    etag,
    baseVersion: data.base_version,
    liveVersion: data.live_version,
    savedBy: data.updated_by,
    savedAt: data.updated_at,
  };
}

/** Return the draft of a flow with its entity tag, its approvals and versions. */
function fetchDraft(flowId: string, signal?: AbortSignal) {
  return taggedOf(api.GET("/api/flows/{flow_id}/draft", { params: pathOf(flowId), signal }));
}

/** Return null for the error of an object that does not exist; throw other errors. */
export function isNotFound(error: unknown): null {
  if (error instanceof ApiError && error.status === 404) {
    return null;
  }
  throw error;
}

/** Return the header of a change: the draft must be the one with this entity tag, or there must be none. */
export function draftPrecondition(etag: string | null) {
  return etag === null ? ({ "If-None-Match": "*" } as const) : { "If-Match": etag };
}

/** Browsers limit requests that outlive their page to 64 KiB. */
const MAX_KEEPALIVE_BYTES = 60_000;

/** Save a draft, unless another one was saved since `before`. `isLast`: the page ends, and the request goes on. */
export async function saveDraft(
  before: EditedFlow,
  body: { document: FlowDocument; base_version: number },
  isLast: boolean,
): ReturnType<typeof putDraft> {
  try {
    return await putDraft(before.flow.id, body as DraftBody, before.etag, isLast && isShort(body));
  } catch (error) {
    const document = error instanceof ApiError && withoutRefused(body.document, error.details, before.document);
    if (!document) {
      throw error;
    }
    return saveDraft(before, { ...body, document }, isLast);
  }
}

/** Return whether a body is short enough for a request that outlives its page. */
export function isShort(body: object): boolean {
  return new Blob([JSON.stringify(body)]).size < MAX_KEEPALIVE_BYTES;
}

/** Replace the draft with this entity tag, or make one where there is none. */
export function putDraft(flowId: string, body: DraftBody, etag: string | null, keepalive = false) {
  const params = { ...pathOf(flowId), header: draftPrecondition(etag) };
  return taggedOf(api.PUT("/api/flows/{flow_id}/draft", { params, body, keepalive }));
}

/** The errors and warnings of the draft; `revision` changes with each save. */
export function problemsQuery(flowId: string, revision: string | null) {
  return queryOptions({
    queryKey: [...keys.draft.problems, flowId, revision],
    queryFn: ({ signal }) =>
      dataOf(api.POST("/api/flows/{flow_id}/draft/validate", { params: pathOf(flowId), signal })),
    enabled: revision !== null,
    ...OPTIONAL_QUERY,
  });
}

/** The draft with its approvals, its entity tag, and its changes against the live flow. */
export function draftReviewQuery(flowId: string) {
  return queryOptions({
    queryKey: [...keys.draft.review, flowId],
    // One after the other: the tag is never newer than the changes that are read under it.
    queryFn: async ({ signal }) => {
      const { data: draft, etag } = await fetchDraft(flowId, signal);
      const diff = await dataOf(api.GET("/api/flows/{flow_id}/draft/diff", { params: pathOf(flowId), signal }));
      return { draft, etag, changes: diff.changes };
    },
    staleTime: 0,
    gcTime: 0,
  });
}

/** The signed-in user. */
export const userQuery = queryOptions({
  queryKey: keys.user.own,
  queryFn: ({ signal }) => dataOf(api.GET("/api/user", { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Publish the draft with this entity tag and return the new version with its own. */
export function publish(flowId: string, body: PublishBody, etag: string | null) {
  const params = { ...pathOf(flowId), header: etag === null ? undefined : { "If-Match": etag } };
  return taggedOf(api.POST("/api/flows/{flow_id}/publish", { params, body }));
}

/** Schedule a change of a flow and return the schedule; a publication is that of the draft with this entity tag. */
export function schedule(flowId: string, body: ScheduleBody, etag: string | null = null) {
  const params = { ...pathOf(flowId), header: etag === null ? undefined : { "If-Match": etag } };
  return dataOf(api.POST("/api/flows/{flow_id}/schedules", { params, body }));
}

/** Approve the draft and return it. */
export function approve(flowId: string) {
  return dataOf(api.POST("/api/flows/{flow_id}/draft/approve", { params: pathOf(flowId) }));
}

/** Delete the draft; with an entity tag only if it still has it. */
export async function discardDraft(flowId: string, etag: string | null = null): Promise<void> {
  const params = { ...pathOf(flowId), header: etag === null ? undefined : { "If-Match": etag } };
  await api.DELETE("/api/flows/{flow_id}/draft", { params });
}

/** Create a link that shows the draft, and return it. */
export function createPreviewLink(flowId: string) {
  return dataOf(api.POST("/api/flows/{flow_id}/preview-link", { params: pathOf(flowId), body: {} }));
}

/** Make a version live again and return the new one; with an entity tag only if that version is still the live one. */
export function restoreLive(flowId: string, number: number, liveEtag: string | null) {
  return restored<VersionWithDocument>(flowId, number, { to: "live" }, liveEtag ? { "If-Match": liveEtag } : undefined);
}

/** Make a version the draft and return the draft: only if it still has this entity tag, or there is still none. */
export function restoreToDraft(flowId: string, number: number, draftEtag: string | null) {
  return restored<DraftView>(flowId, number, { to: "draft" }, draftPrecondition(draftEtag));
}

type Precondition = ReturnType<typeof draftPrecondition>;

function restored<View>(flowId: string, number: number, body: RestoreBody, header: Precondition | undefined) {
  const params = { path: { flow_id: flowId, number: String(number) }, header };
  const restoring = api.POST("/api/flows/{flow_id}/versions/{number}/restore", { params, body });
  // The target of the restore decides which of both views the response has.
  return taggedOf(restoring as Promise<{ data?: { data: View }; response: Response }>);
}

/** Cancel a pending schedule. */
export async function cancelSchedule(flowId: string, scheduleId: string): Promise<void> {
  await api.DELETE("/api/flows/{flow_id}/schedules/{schedule_id}", {
    params: { path: { flow_id: flowId, schedule_id: scheduleId } },
  });
}
