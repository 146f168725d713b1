import { Breadcrumbs, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useLocation, useParams } from "@tanstack/react-router";
import { projectQuery } from "@/api/projects";
import { texts } from "@/texts";
import { AnchorLink } from "@/ui/links";
import { useShownObject } from "@/ui/shownObject";
import { PROJECT_VIEWS } from "./Sidebar";

/** The breadcrumb: projects, the project, its view, and the name of the flow, theme or experiment that is open. */
export function Breadcrumb() {
  const { projectId, flowId, themeId, experimentId } = useParams({ strict: false });
  const object = useShownObject();
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
          <AnchorLink to={view.to} params={{ projectId }} c="dimmed">
            {view.label}
          </AnchorLink>
        )}
        {object && (flowId ?? themeId ?? experimentId) && (
          <Text truncate maw={240}>
            {object}
          </Text>
        )}
      </Breadcrumbs>
    </nav>
  );
}
