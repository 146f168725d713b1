import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/api/client";
import { keys } from "@/api/keys";
import { dataOf, pageOf } from "@/api/responses";
import type { Period } from "@/api/schema";
import { OPTIONAL_QUERY } from "@/ui/optionalQuery";

/** How often a project without an event is asked for its first one. */
const FIRST_EVENT_MILLISECONDS = 3_000;
const CHANGES_LIMIT = 20;

/** The statistics of a project in a period, with all measures by day. */
export function statisticsQuery(projectId: string, period: Period) {
  return queryOptions({
    queryKey: [...keys.analytics.statistics, projectId, period],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET("/api/projects/{project_id}/stats", {
          params: { path: { project_id: projectId }, query: { period, include: "series" } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
}

/** The newest event of a project; it is asked for again and again until there is one. */
export function newestEventQuery(projectId: string) {
  return queryOptions({
    queryKey: [...keys.analytics.events, projectId, "newest"],
    queryFn: async ({ signal }) =>
      (await pageOf(api.GET("/api/analytics/events", { params: { query: { projectId, limit: 1 } }, signal })))
        .items[0] ?? null,
    refetchInterval: ({ state }) => (state.data === null ? FIRST_EVENT_MILLISECONDS : false),
    ...OPTIONAL_QUERY,
  });
}

/** The newest changes of a project. */
export function changesQuery(projectId: string) {
  return queryOptions({
    queryKey: [...keys.audit.log, projectId, "newest"],
    queryFn: async ({ signal }) =>
      (
        await pageOf(
          api.GET("/api/projects/{project_id}/audit-log", {
            params: { path: { project_id: projectId }, query: { limit: CHANGES_LIMIT, include: "names" as const } },
            signal,
          }),
        )
      ).items,
  });
}
