import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Translations } from "./Translations";

const route = getRouteApi("/projects/$projectId/translations");

/** The translations of all flows of a project that are not archived. */
export function ProjectTranslationsPage() {
  const { projectId } = route.useParams();
  const navigate = useNavigate({ from: route.id });
  return (
    <Translations
      scope={{ projectId }}
      projectId={projectId}
      search={route.useSearch()}
      onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true })}
    />
  );
}
