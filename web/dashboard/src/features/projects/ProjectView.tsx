import { useQuery } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { ApiError } from "@/api/errors";
import { membershipQuery, projectQuery, useProjectId } from "@/api/projects";
import { ErrorState, NotFoundState } from "@/ui/states";
import { nearestQuota } from "./quotas";

const QuotaBanner = lazy(() => import("./QuotaBanner"));

/** The views of a project; one message in place of them without the project, or without the user's role in it. */
export function ProjectView() {
  const projectId = useProjectId();
  const project = useQuery(projectQuery(projectId));
  // Asked for by the views that depend on the role. Without it, they would take an owner for a viewer.
  const membership = useQuery({ ...membershipQuery(projectId), enabled: false });
  if (project.error instanceof ApiError && project.error.status === 404) {
    return <NotFoundState titleOrder={1} />;
  }
  const failed = [project, membership].find(({ isError, data }) => isError && data === undefined);
  if (failed) {
    return <ErrorState titleOrder={1} error={failed.error} onRetry={() => void failed.refetch()} />;
  }
  const nearest = project.data && nearestQuota(project.data.data.quotas);
  return (
    <>
      {nearest && (
        <Suspense>
          <QuotaBanner {...nearest} />
        </Suspense>
      )}
      <Outlet />
    </>
  );
}
