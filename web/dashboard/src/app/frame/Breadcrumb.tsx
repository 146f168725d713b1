import { Breadcrumbs, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useLocation, useParams } from "@tanstack/react-router";
import { projectQuery } from "@/api/projects";
import { texts } from "@/texts";
import { AnchorLink } from "@/ui/links";
import { PROJECT_VIEWS } from "./Sidebar";

/** The breadcrumb: projects, the project, its view. The name of a deeper view is in its title. */
export function Breadcrumb() {
  const { projectId } = useParams({ strict: false });
  const { pathname } = useLocation();
  const project = useQuery({ ...projectQuery(projectId ?? ""), enabled: projectId !== undefined });
  if (projectId === undefined) {
    const view = pathname.startsWith("/api-keys") ? texts.app.apiKeys : texts.app.projects;
    return <Text c="dimmed">{view}</Text>;
  }
  const view = PROJECT_VIEWS.find(({ to }) => pathname.startsWith(to.replace("$projectId", projectId)));
  return (
    <nav aria-label={texts.app.breadcrumb}>
      <Text hiddenFrom="sm" truncate maw={160}>
        {project.data?.data.name}
      </Text>
      <Breadcrumbs visibleFrom="sm" style={{ flexWrap: "nowrap" }}>
        <AnchorLink to="/projects" c="dimmed">
          {texts.app.projects}
        </AnchorLink>
        <AnchorLink to="/projects/$projectId" params={{ projectId }} c="dimmed" truncate maw={240}>
          {project.data?.data.name ?? "…"}
        </AnchorLink>
        {view && (
          <AnchorLink to={view.to} params={{ projectId }} c="var(--mantine-color-text)">
            {view.label}
          </AnchorLink>
        )}
      </Breadcrumbs>
    </nav>
  );
}
