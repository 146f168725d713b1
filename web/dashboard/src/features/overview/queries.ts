import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/api/client";
import { dataOf, pageOf } from "@/api/responses";
import type { Period } from "@/api/schema";

/** How often a project without an event is asked for its first one. */
const FIRST_EVENT_MILLISECONDS = 3_000;
const CHANGES_LIMIT = 20;
const MEMBERS_LIMIT = 100;

/** The statistics of a project in a period, with all measures by day. */
export function statisticsQuery(projectId: string, period: Period) {
  return queryOptions({
    queryKey: ["statistics", projectId, period],
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
    queryKey: ["events", projectId, "newest"],
    queryFn: async ({ signal }) =>
      (await pageOf(api.GET("/api/analytics/events", { params: { query: { projectId, limit: 1 } }, signal })))
        .items[0] ?? null,
    refetchInterval: ({ state }) => (state.data === null ? FIRST_EVENT_MILLISECONDS : false),
  });
}

/** The newest changes of a project. */
export function changesQuery(projectId: string) {
  return queryOptions({
    queryKey: ["audit-log", projectId, "newest"],
    queryFn: async ({ signal }) =>
      (
        await pageOf(
          api.GET("/api/projects/{project_id}/audit-log", {
            params: { path: { project_id: projectId }, query: { limit: CHANGES_LIMIT } },
            signal,
          }),
        )
      ).items,
  });
}

/** The names of the members of a project, by user id. */
export function memberNamesQuery(projectId: string) {
  return queryOptions({
    queryKey: ["members", projectId, "names"],
    queryFn: async ({ signal }) => {
      const members = await pageOf(
        api.GET("/api/projects/{project_id}/members", {
          params: { path: { project_id: projectId }, query: { limit: MEMBERS_LIMIT } },
          signal,
        }),
      );
      return new Map(members.items.map((member) => [member.user_id, member.name ?? member.email ?? member.user_id]));
    },
    staleTime: 60_000,
  });
}

/** The keys of a project, which admins read. */
export function projectKeysQuery(projectId: string) {
  return queryOptions({
    queryKey: ["project-keys", projectId],
    queryFn: ({ signal }) =>
      dataOf(api.GET("/api/projects/{project_id}/api-keys", { params: { path: { project_id: projectId } }, signal })),
  });
}
