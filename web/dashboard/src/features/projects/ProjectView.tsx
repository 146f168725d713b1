import { useQuery } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { ApiError } from "@/api/errors";
import { NotFoundState } from "@/ui/states";
import { projectQuery, useProjectId } from "./queries";

/** The views of a project; one message in place of them if there is no such project for the user. */
export function ProjectView() {
  const { error } = useQuery(projectQuery(useProjectId()));
  return error instanceof ApiError && error.status === 404 ? <NotFoundState titleOrder={1} /> : <Outlet />;
}
