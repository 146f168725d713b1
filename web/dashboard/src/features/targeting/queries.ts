import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/api/client";
import { keys } from "@/api/keys";
import { dataOf, pageOf } from "@/api/responses";
import { attributesOf } from "@/features/audience/conditions";
import { OPTIONAL_QUERY } from "@/ui/optionalQuery";

/** A device as it is typed. It is not in the address, which logs and histories would keep. */
export interface TypedDevice {
  device?: string;
  platform?: "ios" | "android";
  appVersion?: string;
  osVersion?: string;
  country?: string;
  locale?: string;
  attributes?: string;
}

/** Every rule that is evaluated for a device, with its result. */
export function explanationQuery(projectId: string, typed: TypedDevice) {
  const { device = "", attributes = "", ...others } = typed;
  return queryOptions({
    queryKey: [...keys.flows.explanation, projectId, typed],
    queryFn: ({ signal }) =>
      dataOf(
        api.POST("/api/projects/{project_id}/explain", {
          params: { path: { project_id: projectId } },
          body: { deviceId: device, ...others, attributes: attributesOf(attributes) },
          signal,
        }),
      ),
    enabled: device !== "",
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** The names of experiments, which stand in place of ids. */
export function experimentNamesQuery(projectId: string) {
  return queryOptions({
    queryKey: [...keys.experiments.names, projectId],
    queryFn: ({ signal }) =>
      pageOf(api.GET("/api/experiments", { params: { query: { projectId, limit: 100 } }, signal })),
    staleTime: 60_000,
    ...OPTIONAL_QUERY,
  });
}
