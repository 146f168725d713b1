import { Text } from "@mantine/core";
import { IconFlask, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useCan, useProjectId } from "@/api/projects";
import type { ListedExperimentView } from "@/api/schema";
import { AnchorLink, ButtonLink } from "@/ui/links";
import type { Column } from "@/ui/table/DataTable";
import { ListView } from "@/ui/table/ListView";
import { formatCount, Time } from "@/ui/values/format";
import { StatusBadge } from "@/ui/values/StatusBadge";
import { experimentsQuery } from "./queries";
import { EXPERIMENT_STATUSES, STATUS_TONES } from "./searches";
import { experimentTexts } from "./texts";

const route = getRouteApi("/projects/$projectId/experiments");
const words = experimentTexts;

const STATUS_OPTIONS = EXPERIMENT_STATUSES.map((status) => ({ value: status, label: words.statuses[status] }));

const COLUMNS: readonly Column<ListedExperimentView>[] = [
  {
    key: "name",
    header: words.name,
    sortBy: "name",
    render: (experiment) => (
      <AnchorLink
        to="/projects/$projectId/experiments/$experimentId"
        params={{ projectId: experiment.project_id, experimentId: experiment.id }}
      >
        {experiment.name}
      </AnchorLink>
    ),
  },
  {
    key: "status",
    header: words.status,
    render: ({ status }) => <StatusBadge tone={STATUS_TONES[status]}>{words.statuses[status]}</StatusBadge>,
  },
  {
    key: "variants",
    header: words.variants,
    hideBelow: "md",
    render: ({ variants }) => {
      const names = variants.map(({ name }) => name).join(", ");
      return (
        <Text inherit lineClamp={1} title={names}>
          {names}
        </Text>
      );
    },
  },
  {
    key: "goal",
    header: words.goal,
    hideBelow: "sm",
    render: ({ primary_event }) => (
      <Text inherit lineClamp={1} title={primary_event} style={{ overflowWrap: "anywhere" }}>
        {primary_event}
      </Text>
    ),
  },
  { key: "users", header: words.users, numeric: true, render: ({ users }) => formatCount(users ?? 0) },
  {
    key: "started",
    header: words.started,
    numeric: true,
    hideBelow: "sm",
    render: ({ started_at }) => (started_at === null ? words.never : <Time value={started_at} />),
  },
];

/** The experiments of a project: search, filter, open, create. */
export function ExperimentsPage() {
  const projectId = useProjectId();
  return (
    <ListView
      title={words.title}
      help={words.help}
      action={
        useCan("editor") && (
          <ButtonLink
            to="/projects/$projectId/experiments/new"
            params={{ projectId }}
            leftSection={<IconPlus size={18} />}
          >
            {words.create}
          </ButtonLink>
        )
      }
      query={useQuery(experimentsQuery(projectId, route.useSearch()))}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      searchLabel={words.search}
      filters={[{ name: "status", label: words.status, any: words.anyStatus, options: STATUS_OPTIONS }]}
      empty={{ icon: <IconFlask size={32} stroke={1.5} />, title: words.emptyTitle, text: words.emptyText }}
    />
  );
}
