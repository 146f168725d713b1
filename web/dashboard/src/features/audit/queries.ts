import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/api/client";
import { keys } from "@/api/keys";
import { pageOf } from "@/api/responses";

export const AUDIT_SORTS = ["created_at", "-created_at"] as const;
export type AuditSort = (typeof AUDIT_SORTS)[number];

export interface AuditLogSearch {
  page?: number;
  limit?: number;
  sort?: AuditSort;
  search?: string;
  entity_type?: string;
  user_id?: string;
}

/** The entries of a project's audit log, a page at a time. */
export function auditLogQuery(projectId: string, search: AuditLogSearch) {
  return queryOptions({
    queryKey: [...keys.audit.log, projectId, search],
    queryFn: ({ signal }) =>
      pageOf(
        api.GET("/api/projects/{project_id}/audit-log", {
          params: { path: { project_id: projectId }, query: { include: "names", ...search } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
}

/** Return the entries of a search as CSV; the service writes at most 10,000. */
export async function downloadAuditLog(projectId: string, search: AuditLogSearch): Promise<Blob> {
  const response = await api.GET("/api/projects/{project_id}/audit-log", {
    params: { path: { project_id: projectId }, query: { include: "names", ...search } },
    headers: { Accept: "text/csv" },
    parseAs: "blob",
  });
  return response.data as unknown as Blob;
}
