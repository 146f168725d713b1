import { Button, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconFolderPlus, IconPlus, IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ProjectSort, type ProjectsSearch, projectsQuery } from "@/api/projects";
import type { ProjectListItem } from "@/api/schema";
import { texts } from "@/texts";
import { formatCount, Time } from "@/ui/format";
import { lazyDialog } from "@/ui/lazyDialog";
import { AnchorLink } from "@/ui/links";
import { PageHeader } from "@/ui/PageHeader";
import { EmptyState, ErrorState } from "@/ui/states";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { SearchInput } from "@/ui/table/SearchInput";
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
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [creating, { open, close }] = useDisclosure();
  const projects = useQuery(projectsQuery(search));

  const filter = (changes: ProjectsSearch) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...changes }), replace: true });
  const createButton = (
    <Button leftSection={<IconPlus size={18} />} onClick={open}>
      {projectTexts.create}
    </Button>
  );
  const isEmpty = projects.data?.pagination.total === 0;
  const hasNone = isEmpty && search.search === undefined;

  return (
    <>
      <PageHeader title={projectTexts.title} actions={hasNone ? null : createButton} />
      {creating && <CreateProject onClose={close} />}
      {hasNone ? (
        <EmptyState
          icon={<IconFolderPlus size={32} stroke={1.5} />}
          title={projectTexts.emptyTitle}
          text={projectTexts.emptyText}
          action={createButton}
        />
      ) : (
        <>
          <Group mb="md">
            <SearchInput
              label={projectTexts.search}
              value={search.search}
              onSearch={(words) => filter({ search: words })}
            />
          </Group>
          {projects.isError ? (
            <ErrorState error={projects.error} onRetry={() => void projects.refetch()} />
          ) : isEmpty ? (
            <EmptyState
              icon={<IconSearch size={32} stroke={1.5} />}
              title={texts.ui.noMatch}
              text={texts.ui.noMatchText}
            />
          ) : (
            <DataTable
              label={projectTexts.title}
              columns={COLUMNS}
              rows={projects.data?.items}
              rowKey={(project) => project.id}
              sort={search.sort ?? "-created_at"}
              onSort={(sort) => filter({ sort: sort as ProjectSort })}
              pagination={projects.data?.pagination}
              onPage={(page) => filter({ page })}
            />
          )}
        </>
      )}
    </>
  );
}
