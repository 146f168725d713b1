import { Group, SegmentedControl, Select } from "@mantine/core";
import { IconChartBar } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useProjectId } from "@/api/projects";
import type { GroupBy } from "@/api/schema";
import { ChartSkeleton } from "@/ui/charts";
import { PageHeader } from "@/ui/PageHeader";
import { EmptyState } from "@/ui/states";
import { Counts } from "./Counts";
import { DownloadCsv } from "./DownloadCsv";
import { FilteredView } from "./filters/FilteredView";
import { Filters } from "./filters/Filters";
import { ANALYTICS_GROUPS, type AnalyticsSearch } from "./filters/search";
import { countsQuery, downloadCounts, flowChoicesQuery, flowQuery } from "./queries";
import { analyticsTexts } from "./texts";

const route = getRouteApi("/projects/$projectId/analytics/counts");
const words = analyticsTexts.counts;
const GROUP_OPTIONS = ANALYTICS_GROUPS.map((value) => ({ value, label: words.groups[value] }));

/** How many events and users there were, by day or by another group. */
export function CountsPage() {
  const projectId = useProjectId();
  const { by = "day", ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const counts = useQuery(countsQuery(projectId, by, search));
  const names = useNames(by, search.flowId);
  const filter = (changes: AnalyticsSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true });
  const clear = () => void navigate({ search: { by }, replace: true });
  const group = (chosen: string | null) =>
    void navigate({ search: (before) => ({ ...before, by: chosen as GroupBy }), replace: true });

  return (
    <>
      <PageHeader
        title={words.title}
        text={words.help}
        actions={<DownloadCsv load={() => downloadCounts(projectId, by, search)} fileName={`counts-by-${by}.csv`} />}
      />
      <Filters
        search={search}
        error={counts.error}
        onFilter={filter}
        flowId={search.flowId ?? null}
        anyFlow
        withPlatform
        withEventType
      />
      <Group mb="lg">
        <SegmentedControl
          aria-label={words.by}
          data={GROUP_OPTIONS}
          value={by}
          onChange={group}
          visibleFrom="md"
          size="sm"
        />
        <Select
          aria-label={words.by}
          allowDeselect={false}
          data={GROUP_OPTIONS}
          value={by}
          onChange={group}
          hiddenFrom="md"
          w="100%"
        />
      </Group>
      <FilteredView query={counts} skeleton={<ChartSkeleton />} onClear={clear}>
        {(data) =>
          data.totals.events === 0 ? (
            <EmptyState
              icon={<IconChartBar size={32} stroke={1.5} />}
              title={words.emptyTitle}
              text={words.emptyText}
            />
          ) : (
            <Counts counts={data} names={names} />
          )
        }
      </FilteredView>
    </>
  );
}

/** Return the names of flows, or of the screens of the chosen flow, by their ids. */
function useNames(by: GroupBy, flowId: string | undefined): ReadonlyMap<string, string> {
  const flows = useQuery({ ...flowChoicesQuery(useProjectId()), enabled: by === "flow" }).data?.flows;
  const flow = useQuery({ ...flowQuery(flowId ?? ""), enabled: by === "screen" && flowId !== undefined }).data;
  const named = by === "screen" ? (flow?.screens ?? []) : by === "flow" ? (flows ?? []) : [];
  return new Map(named.map(({ id, name }) => [id, name ?? id]));
}
