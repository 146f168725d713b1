import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/api/client";
import { keys } from "@/api/keys";
import { dataOf, pageOf } from "@/api/responses";
import type { Period } from "@/api/schema";

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
