import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/api/client";
import { keys } from "@/api/keys";
import { dataOf, pageOf, taggedOf } from "@/api/responses";
import { OPTIONAL_QUERY } from "@/ui/optionalQuery";

/** The versions of a flow, the newest first. */
export function versionsQuery(flowId: string, page: number) {
  return queryOptions({
    queryKey: [...keys.flows.versions, flowId, page],
    queryFn: ({ signal }) =>
      pageOf(
        api.GET("/api/flows/{flow_id}/versions", {
          params: { path: { flow_id: flowId }, query: { page, limit: 20 } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** The newest 100 versions of a flow, as choices to compare or restore. */
export function newestVersionsQuery(flowId: string) {
  return queryOptions({
    queryKey: [...keys.flows.versions, flowId, "newest"],
    queryFn: async ({ signal }) => {
      const params = { path: { flow_id: flowId }, query: { limit: 100 } };
      return (await pageOf(api.GET("/api/flows/{flow_id}/versions", { params, signal }))).items;
    },
    staleTime: 0,
    ...OPTIONAL_QUERY,
  });
}

/** A version with its document, and its changes against another one, by default the one before. */
export function versionQuery(flowId: string, number: number, against?: number) {
  const path = { flow_id: flowId, number: String(number) };
  return queryOptions({
    queryKey: [...keys.version.document, flowId, number, against],
    queryFn: async ({ signal }) => {
      const [version, diff] = await Promise.all([
        dataOf(api.GET("/api/flows/{flow_id}/versions/{number}", { params: { path }, signal })),
        dataOf(
          api.GET("/api/flows/{flow_id}/versions/{number}/diff", { params: { path, query: { against } }, signal }),
        ),
      ]);
      return { version, changes: diff.changes };
    },
    placeholderData: keepPreviousData,
  });
}

/** The entity tag of the version that is live, which a restore must find unchanged. */
export function liveTagQuery(flowId: string, number: number) {
  const path = { flow_id: flowId, number: String(number) };
  return queryOptions({
    queryKey: [...keys.version.tag, flowId, number],
    queryFn: async ({ signal }) =>
      (await taggedOf(api.GET("/api/flows/{flow_id}/versions/{number}", { params: { path }, signal }))).etag,
    staleTime: 0,
  });
}
