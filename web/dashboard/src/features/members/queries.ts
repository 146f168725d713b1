import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/api/client";
import { keys } from "@/api/keys";
import { dataOf, pageOf } from "@/api/responses";
import type { MemberAddBody, MemberUpdateBody, MemberView, Role } from "@/api/schema";
import { OPTIONAL_QUERY } from "@/ui/optionalQuery";

export const MEMBER_SORTS = ["name", "-name", "created_at", "-created_at"] as const;
export type MemberSort = (typeof MEMBER_SORTS)[number];

/** The longest page of members. */
const MAX_MEMBERS = 100;

export interface MembersSearch {
  page?: number;
  sort?: MemberSort;
  limit?: number;
}

/** The members of a project, a page at a time. */
export function membersQuery(projectId: string, search: MembersSearch) {
  return queryOptions({
    queryKey: [...keys.members.list, projectId, search],
    queryFn: ({ signal }) =>
      pageOf(
        api.GET("/api/projects/{project_id}/members", {
          params: { path: { project_id: projectId }, query: search },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
}

/** The names of the members of a project, by user id. */
export function memberNamesQuery(projectId: string) {
  return queryOptions({
    queryKey: [...keys.members.names, projectId],
    queryFn: async ({ signal }) => {
      const members = await pageOf(
        api.GET("/api/projects/{project_id}/members", {
          params: { path: { project_id: projectId }, query: { limit: MAX_MEMBERS } },
          signal,
        }),
      );
      return new Map(members.items.map((member) => [member.user_id, memberName(member)]));
    },
    staleTime: 60_000,
    ...OPTIONAL_QUERY,
  });
}

/** Add a member and return the membership. */
export function addMember(projectId: string, body: MemberAddBody) {
  return dataOf(api.POST("/api/projects/{project_id}/members", { params: { path: { project_id: projectId } }, body }));
}

/** Change the role of a member and return the membership. */
export function updateMember(projectId: string, userId: string, body: MemberUpdateBody) {
  const params = { path: { project_id: projectId, user_id: userId } };
  return dataOf(api.PUT("/api/projects/{project_id}/members/{user_id}", { params, body }));
}

export async function removeMember(projectId: string, userId: string): Promise<void> {
  const params = { path: { project_id: projectId, user_id: userId } };
  await api.DELETE("/api/projects/{project_id}/members/{user_id}", { params });
}

/** Make an admin the owner of a project, and the calling owner an admin. */
export async function transferProject(projectId: string, userId: string): Promise<void> {
  const params = { path: { project_id: projectId } };
  await dataOf(api.POST("/api/projects/{project_id}/transfer", { params, body: { user_id: userId } }));
}

/** Return the name of a member for people. */
export function memberName(member: MemberView): string {
  return member.name ?? member.email ?? member.user_id;
}

/** Return the roles that a user with a role can give: owners alone make owners. */
export function rolesToGive(own: Role | undefined): Role[] {
  return own === "owner" ? ["viewer", "editor", "admin", "owner"] : ["viewer", "editor", "admin"];
}

/** Return whether a user can give a member another role or remove the member. */
export function canChange(own: Role | undefined, member: Pick<MemberView, "role">): boolean {
  return own === "owner" || (own === "admin" && member.role !== "owner");
}
