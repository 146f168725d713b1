import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconFolderPlus, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { projectsQuery } from "@/api/projects";
import type { ProjectListItem } from "@/api/schema";
import { texts } from "@/texts";
import { lazyDialog } from "@/ui/feedback/lazyDialog";
import { AnchorLink } from "@/ui/links";
import type { Column } from "@/ui/table/DataTable";
import { ListView } from "@/ui/table/ListView";
import { formatCount, Time } from "@/ui/values/format";
import { projectTexts } from "./texts";

const CreateProject = lazyDialog(async () => (await import("./CreateProject")).CreateProject);

const route = getRouteApi("/projects");

const COLUMNS: readonly Column<ProjectListItem>[] = [
  {
    key: "name",
    header: projectTexts.name,
    sortBy: "name",
    render: (project) => (
      <AnchorLink to="/projects/$projectId" params={{ projectId: project.id }}>
        {project.name}
      </AnchorLink>
    ),
  },
  {
    key: "platforms",
    header: projectTexts.platforms,
    hideBelow: "sm",
    render: (project) => project.settings.platforms.map((platform) => texts.ui.platforms[platform]).join(", "),
  },
  {
    key: "flows",
    header: projectTexts.flows,
    numeric: true,
    hideBelow: "sm",
    render: ({ stats }) => projectTexts.activeOfTotal(stats.active_flows, stats.total_flows),
  },
  {
    key: "users",
    header: projectTexts.users,
    numeric: true,
    render: (project) => formatCount(project.stats.total_users),
  },
  {
    key: "created",
    header: projectTexts.created,
    sortBy: "created_at",
    numeric: true,
    render: (project) => <Time value={project.created_at} />,
  },
];

/** The projects of the user: search, open, create. */
export function ProjectsPage() {
  const [creating, { open, close }] = useDisclosure();
  return (
    <>
      {creating && <CreateProject onClose={close} />}
      <ListView
        title={projectTexts.title}
        action={
          <Button leftSection={<IconPlus size={18} />} onClick={open}>
            {projectTexts.create}
          </Button>
        }
        query={useQuery(projectsQuery(route.useSearch()))}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        searchLabel={projectTexts.search}
        empty={{
          icon: <IconFolderPlus size={32} stroke={1.5} />,
          title: projectTexts.emptyTitle,
          text: projectTexts.emptyText,
        }}
      />
    </>
  );
}
