import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { api } from "@/api/client";
import { dataOf, pageOf, taggedOf } from "@/api/responses";
import type { ProjectCreateBody, ProjectUpdateBody, Role } from "@/api/schema";
import { keys } from "./keys";

export interface ProjectsSearch {
  page?: number;
  sort?: ProjectSort;
  search?: string;
  limit?: number;
}

export const PROJECT_SORTS = ["name", "-name", "created_at", "-created_at"] as const;
export type ProjectSort = (typeof PROJECT_SORTS)[number];

/** The projects of the user, a page at a time. */
export function projectsQuery(search: ProjectsSearch) {
  return queryOptions({
    queryKey: [...keys.projects.list, search],
    queryFn: ({ signal }) => pageOf(api.GET("/api/projects", { params: { query: search }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** One project with its entity tag. */
export function projectQuery(projectId: string) {
  return queryOptions({
    queryKey: [...keys.projects.one, projectId],
    queryFn: ({ signal }) =>
      taggedOf(api.GET("/api/projects/{project_id}", { params: { path: { project_id: projectId } }, signal })),
    staleTime: 60_000,
  });
}

/** Create a project and return it. */
export function createProject(body: ProjectCreateBody) {
  return dataOf(api.POST("/api/projects", { body }));
}

/** Change a project and return it; with an entity tag only if the project still has it. */
export function updateProject(projectId: string, body: ProjectUpdateBody, etag: string | null) {
  const params = { path: { project_id: projectId }, header: etag ? { "If-Match": etag } : undefined };
  return dataOf(api.PUT("/api/projects/{project_id}", { params, body }));
}

export async function deleteProject(projectId: string): Promise<void> {
  await api.DELETE("/api/projects/{project_id}", { params: { path: { project_id: projectId } } });
}

/** The membership of the user in a project. */
export function membershipQuery(projectId: string) {
  return queryOptions({
    queryKey: [...keys.members.own, projectId],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET("/api/projects/{project_id}/members/{user_id}", {
          params: { path: { project_id: projectId, user_id: "me" } },
          signal,
        }),
      ),
    staleTime: 60_000,
  });
}

/** Return the id of the project in the address; use it below `/projects/$projectId` only. */
export function useProjectId(): string {
  return useParams({ from: "/projects/$projectId" }).projectId;
}

const ROLES: readonly Role[] = ["viewer", "editor", "admin", "owner"];

/** Return whether the user's role in the project of the address is known; a view that depends on it waits. */
export function useIsRoleKnown(): boolean {
  return useQuery(membershipQuery(useProjectId())).isSuccess;
}

/** Return whether the user's role in the project of the address is at least this one; false until it is known. */
export function useCan(role: Role): boolean {
  const own = useQuery(membershipQuery(useProjectId())).data?.role;
  return own !== undefined && ROLES.indexOf(own) >= ROLES.indexOf(role);
}
