import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/api/client";
import { pageOf } from "@/api/responses";
import type { MemberView, Role } from "@/api/schema";
import { ASIDE } from "@/ui/aside";

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
    queryKey: ["members", projectId, search],
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
    queryKey: ["members", projectId, "names"],
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
    ...ASIDE,
  });
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
