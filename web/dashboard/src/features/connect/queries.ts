import { queryOptions } from "@tanstack/react-query";
import { api } from "@/api/client";
import { keys } from "@/api/keys";
import { pageOf } from "@/api/responses";
import { OPTIONAL_QUERY } from "@/ui/optionalQuery";

/** How often a project without an event is asked for its first one. */
const FIRST_EVENT_MILLISECONDS = 3_000;
/** How often a project is asked what it heard last. */
const HEARD_MILLISECONDS = 10_000;
/** The newest events in which platforms are looked for: one page of the service. */
export const HEARD_EVENTS = 100;

/** The newest event of a project; it is asked for again and again until there is one. */
export function newestEventQuery(projectId: string) {
  return queryOptions({
    queryKey: [...keys.analytics.events, projectId, "newest"],
    queryFn: async ({ signal }) => (await newestEvents(projectId, 1, signal))[0] ?? null,
    refetchInterval: ({ state }) => (state.data === null ? FIRST_EVENT_MILLISECONDS : false),
    ...OPTIONAL_QUERY,
  });
}

/** The newest events of a project, read again while the view is open. */
export function heardQuery(projectId: string) {
  return queryOptions({
    queryKey: [...keys.analytics.events, projectId, "heard"],
    queryFn: ({ signal }) => newestEvents(projectId, HEARD_EVENTS, signal),
    refetchInterval: ({ state }) => (state.data?.length === 0 ? FIRST_EVENT_MILLISECONDS : HEARD_MILLISECONDS),
  });
}

async function newestEvents(projectId: string, limit: number, signal: AbortSignal) {
  return (await pageOf(api.GET("/api/analytics/events", { params: { query: { projectId, limit } }, signal }))).items;
}
