import { Group, Select, Text } from "@mantine/core";
import { IconFlask, IconPlus, IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useCan, useProjectId } from "@/api/projects";
import type { ExperimentStatus, ListedExperimentView } from "@/api/schema";
import { texts } from "@/texts";
import { formatCount, Time } from "@/ui/format";
import { AnchorLink, ButtonLink } from "@/ui/links";
import { PageHeader } from "@/ui/PageHeader";
import { StatusBadge } from "@/ui/StatusBadge";
import { EmptyState, ErrorState } from "@/ui/states";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { SearchInput } from "@/ui/table/SearchInput";
import { type ExperimentsSearch, experimentsQuery } from "./queries";
import { EXPERIMENT_STATUSES, type ExperimentSort, STATUS_TONES } from "./searches";
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
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const canEdit = useCan("editor");
  const experiments = useQuery(experimentsQuery(projectId, search));

  const filter = (changes: ExperimentsSearch) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...changes }), replace: true });
  const isFiltered = search.search !== undefined || search.status !== undefined;
  const isEmpty = experiments.data?.pagination.total === 0;
  const hasNone = isEmpty && !isFiltered;
  const createButton = canEdit && (
    <ButtonLink to="/projects/$projectId/experiments/new" params={{ projectId }} leftSection={<IconPlus size={18} />}>
      {words.create}
    </ButtonLink>
  );

  return (
    <>
      <PageHeader title={words.title} text={hasNone ? undefined : words.help} actions={hasNone ? null : createButton} />
      {!hasNone && (
        <Group mb="md" gap="xs">
          <SearchInput label={words.search} value={search.search} onSearch={(typed) => filter({ search: typed })} />
          <Select
            aria-label={words.status}
            placeholder={words.anyStatus}
            clearable
            data={STATUS_OPTIONS}
            value={search.status ?? null}
            onChange={(status) => filter({ status: (status as ExperimentStatus | null) ?? undefined })}
            w={{ base: "100%", sm: 160 }}
          />
        </Group>
      )}
      {experiments.isError ? (
        <ErrorState error={experiments.error} onRetry={() => void experiments.refetch()} />
      ) : hasNone ? (
        <EmptyState
          icon={<IconFlask size={32} stroke={1.5} />}
          title={words.emptyTitle}
          text={words.emptyText}
          action={createButton}
        />
      ) : isEmpty ? (
        <EmptyState icon={<IconSearch size={32} stroke={1.5} />} title={texts.ui.noMatch} text={texts.ui.noMatchText} />
      ) : (
        <DataTable
          label={words.title}
          columns={COLUMNS}
          rows={experiments.data?.items}
          rowKey={({ id }) => id}
          sort={search.sort ?? "-created_at"}
          onSort={(sort) => filter({ sort: sort as ExperimentSort })}
          pagination={experiments.data?.pagination}
          onPage={(page) => filter({ page })}
        />
      )}
    </>
  );
}
