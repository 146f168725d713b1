import { type UseQueryResult, useQueries, useQuery } from "@tanstack/react-query";
import { projectsQuery } from "@/api/projects";
import type { Page } from "@/api/responses";
import { experimentsQuery } from "@/features/experiments/queries";
import { flowsQuery } from "@/features/flows/queries";
import { OPTIONAL_QUERY } from "@/ui/optionalQuery";

const MAX_FOUND = 5;
/** Outside of a project so many of the user's projects are searched, the newest first: two requests for each. */
const MAX_SEARCHED = 10;

/**
 * Return the projects with words in their names, and the flows and experiments of the present project; outside of one,
 * those of the user's projects, with the name of their project.
 */
export function useFound(projectId: string | undefined, search: string) {
  const isSearching = search !== "";
  const found = { search, limit: MAX_FOUND };
  const projects = useQuery({ ...projectsQuery(found), enabled: isSearching, ...OPTIONAL_QUERY });
  const own = useQuery({
    ...projectsQuery({ sort: "-created_at", limit: MAX_SEARCHED }),
    enabled: isSearching && projectId === undefined,
    ...OPTIONAL_QUERY,
  });
  const names = new Map(own.data?.items.map(({ id, name }) => [id, name]));
  const searched = projectId === undefined ? [...names.keys()] : [projectId];
  const options = { enabled: isSearching, ...OPTIONAL_QUERY };
  const flows = useQueries({ queries: searched.map((id) => ({ ...flowsQuery(id, found), ...options })) });
  const experiments = useQueries({ queries: searched.map((id) => ({ ...experimentsQuery(id, found), ...options })) });

  const first = <Item extends { project_id: string }>(queries: UseQueryResult<Page<Item>>[]) =>
    queries
      .flatMap(({ data }) => data?.items ?? [])
      .slice(0, MAX_FOUND)
      .map((item) => ({ ...item, project: projectId === undefined ? names.get(item.project_id) : undefined }));
  return isSearching
    ? { projects: projects.data?.items ?? [], flows: first(flows), experiments: first(experiments) }
    : { projects: [], flows: [], experiments: [] };
}
