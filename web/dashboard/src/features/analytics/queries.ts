import { keepPreviousData, type QueryKey, queryOptions } from "@tanstack/react-query";
import { api } from "@/api/client";
import { keys } from "@/api/keys";
import { dataOf, pageOf } from "@/api/responses";
import type { GroupBy, ListedFlowView, Pagination, Period } from "@/api/schema";
import { flowsQuery } from "@/features/flows/queries";
import { OPTIONAL_QUERY } from "@/ui/optionalQuery";
import { type AnalyticsSearch, datesOf } from "./filters/search";

const CHOICES_LIMIT = 100;
const EVENTS_LIMIT = 50;
const CSV = { headers: { Accept: "text/csv" }, parseAs: "blob" } as const;
const CHOICES_FRESH_MILLISECONDS = 60_000;

/** Flows of a project to choose from, those that match the words; there are more of them on further pages. */
export function flowChoicesQuery(projectId: string, words = "") {
  return {
    // The query of the list of flows, so that a change of view needs no other request.
    ...flowsQuery(projectId, words === "" ? {} : { search: words }),
    select: choicesOf,
    staleTime: CHOICES_FRESH_MILLISECONDS,
    ...OPTIONAL_QUERY,
  };
}

function choicesOf({ items, pagination }: { items: ListedFlowView[]; pagination: Pagination }) {
  const flows = items.map(({ id, name, stats }) => ({ id, name, starts: stats.total_views }));
  return { flows, isCut: pagination.totalPages > 1 };
}

/** One flow with the content of its screens, the number of its version, and whether it has a draft. */
export function flowQuery(flowId: string) {
  return queryOptions({
    queryKey: [...keys.flows.one, flowId],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET("/api/flows/{flow_id}", {
          params: { path: { flow_id: flowId }, query: { include: "draft" } },
          signal,
        }),
      ),
    staleTime: CHOICES_FRESH_MILLISECONDS,
    ...OPTIONAL_QUERY,
  });
}

/** The experiments of a project that have been started, the newest first. */
export function experimentChoicesQuery(projectId: string) {
  return queryOptions({
    queryKey: [...keys.experiments.choices, projectId],
    queryFn: async ({ signal }) => {
      const query = { projectId, sort: "-created_at", limit: CHOICES_LIMIT } as const;
      const { items } = await pageOf(api.GET("/api/experiments", { params: { query }, signal }));
      return items.filter(({ started_at }) => started_at !== null);
    },
    staleTime: CHOICES_FRESH_MILLISECONDS,
    ...OPTIONAL_QUERY,
  });
}

/** Return a function that keeps the data of the same flow only: those of another would stand under the wrong name. */
function keepOfFlow(flowId: string) {
  return <Data>(data: Data | undefined, query: { queryKey: QueryKey } | undefined): Data | undefined =>
    (query?.queryKey.at(-1) as { flowId?: string } | undefined)?.flowId === flowId ? data : undefined;
}

/** The funnel of a flow, and of each variant of an experiment. */
export function funnelQuery(flowId: string, search: AnalyticsSearch) {
  const query = { flowId, experimentId: search.experimentId, ...datesOf(search) };
  return queryOptions({
    queryKey: [...keys.analytics.funnel, query],
    queryFn: ({ signal }) => dataOf(api.GET("/api/analytics/funnel", { params: { query }, signal })),
    placeholderData: keepOfFlow(flowId),
  });
}

/** The users of each link between two screens of a flow. */
export function pathsQuery(flowId: string, period: Period) {
  const query = { flowId, period };
  return queryOptions({
    queryKey: [...keys.analytics.paths, query],
    queryFn: ({ signal }) => dataOf(api.GET("/api/analytics/paths", { params: { query }, signal })),
    staleTime: CHOICES_FRESH_MILLISECONDS,
  });
}

/** The events and users of a project, by day or by another group. */
export function countsQuery(projectId: string, by: GroupBy, search: AnalyticsSearch) {
  const query = countsOf(projectId, by, search);
  return queryOptions({
    queryKey: [...keys.analytics.counts, query],
    queryFn: ({ signal }) => dataOf(api.GET("/api/analytics", { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Return the same as CSV. */
export function downloadCounts(projectId: string, by: GroupBy, search: AnalyticsSearch): Promise<Blob> {
  return csvOf(api.GET("/api/analytics", { params: { query: countsOf(projectId, by, search) }, ...CSV }));
}

/** One page of the events of a project, the newest first. */
export function eventsQuery(projectId: string, { page, ...search }: AnalyticsSearch & { page?: number }) {
  const query = { ...eventsOf(projectId, search), page, limit: EVENTS_LIMIT };
  return queryOptions({
    queryKey: [...keys.analytics.events, query],
    queryFn: ({ signal }) => pageOf(api.GET("/api/analytics/events", { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Return the newest events as CSV; the service writes at most 10,000. */
export function downloadEvents(projectId: string, search: AnalyticsSearch): Promise<Blob> {
  return csvOf(api.GET("/api/analytics/events", { params: { query: eventsOf(projectId, search) }, ...CSV }));
}

/** The answers to the questions of a flow. */
export function responsesQuery(flowId: string, search: AnalyticsSearch) {
  const query = responsesOf(flowId, search);
  return queryOptions({
    queryKey: [...keys.analytics.responses, query],
    queryFn: ({ signal }) => dataOf(api.GET("/api/analytics/responses", { params: { query }, signal })),
    placeholderData: keepOfFlow(flowId),
  });
}

/** Return the answers as CSV. */
export function downloadResponses(flowId: string, search: AnalyticsSearch): Promise<Blob> {
  return csvOf(api.GET("/api/analytics/responses", { params: { query: responsesOf(flowId, search) }, ...CSV }));
}

function eventsOf(projectId: string, search: AnalyticsSearch) {
  const { flowId, platform, eventType } = search;
  return { projectId, flowId, platform, eventType, ...datesOf(search) };
}

function countsOf(projectId: string, by: GroupBy, search: AnalyticsSearch) {
  return { ...eventsOf(projectId, search), group_by: by };
}

function responsesOf(flowId: string, search: AnalyticsSearch) {
  return { flowId, platform: search.platform, ...datesOf(search) };
}

async function csvOf(response: Promise<{ data?: unknown }>): Promise<Blob> {
  return (await response).data as Blob;
}
