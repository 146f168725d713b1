import { Button, Stack, Text, Title } from "@mantine/core";
import { IconListDetails } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useProjectId } from "@/api/projects";
import type { EventView } from "@/api/schema";
import { texts } from "@/texts";
import { ChartSkeleton, TrendChart } from "@/ui/charts";
import { lazyDialog } from "@/ui/feedback/lazyDialog";
import { PageHeader } from "@/ui/PageHeader";
import { EmptyState, QueryView } from "@/ui/states";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { PageButtons } from "@/ui/table/PageButtons";
import { formatCount, Time } from "@/ui/values/format";
import { chartRows } from "./counts";
import { DownloadCsv } from "./DownloadCsv";
import { FilteredView } from "./filters/FilteredView";
import { Filters } from "./filters/Filters";
import type { AnalyticsSearch } from "./filters/search";
import { countsQuery, downloadEvents, eventsQuery, flowChoicesQuery } from "./queries";
import { analyticsTexts } from "./texts";

const route = getRouteApi("/projects/$projectId/analytics/events");
const words = analyticsTexts.events;
const EventDetails = lazyDialog(async () => (await import("./EventDetails")).EventDetails);

/** The number of events by day, of the filters of the table below. */
function EventDays({ search: { page: _, ...search } }: { search: AnalyticsSearch & { page?: number } }) {
  const days = useQuery(countsQuery(useProjectId(), "day", search));
  return (
    <section aria-label={words.byDay}>
      <Title order={2} size="h3" mb="xs">
        {words.byDay}
      </Title>
      <QueryView query={days} skeleton={<ChartSkeleton />}>
        {(counts) => (
          <TrendChart
            label={words.byDay}
            days={chartRows(counts, new Map())}
            series={[{ name: "events", label: words.title }]}
            format={formatCount}
            integers
          />
        )}
      </QueryView>
    </section>
  );
}

/** The events of a project as they were reported, a page at a time. */
export function EventsPage() {
  const projectId = useProjectId();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [opened, setOpened] = useState<EventView | null>(null);
  const events = useQuery(eventsQuery(projectId, search));
  const flows = useQuery(flowChoicesQuery(projectId)).data?.flows;
  const flowNames = new Map(flows?.map(({ id, name }) => [id, name]));
  const filter = (changes: AnalyticsSearch & { page?: number }) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...changes }), replace: true });
  const clear = () => void navigate({ search: {}, replace: true });
  const isEmpty = events.data?.pagination.total === 0;
  const columns: readonly Column<EventView>[] = [
    {
      key: "type",
      header: analyticsTexts.eventType,
      render: (event) => (
        <Button variant="transparent" size="compact-sm" px={0} onClick={() => setOpened(event)}>
          {event.event_type}
        </Button>
      ),
    },
    {
      key: "flow",
      header: analyticsTexts.flow,
      hideBelow: "md",
      render: ({ flow_id: id }) => (id === null ? analyticsTexts.noValue : (flowNames.get(id) ?? id)),
    },
    {
      key: "device",
      header: words.device,
      hideBelow: "sm",
      render: ({ device_id: id }) => (
        <Text inherit truncate maw={220} title={id}>
          {id}
        </Text>
      ),
    },
    {
      key: "platform",
      header: analyticsTexts.platform,
      hideBelow: "md",
      render: ({ platform }) => (platform === null ? analyticsTexts.noValue : texts.ui.platforms[platform]),
    },
    { key: "time", header: words.time, numeric: true, render: ({ timestamp }) => <Time value={timestamp} /> },
  ];
  const table = { label: words.title, columns, rowKey: ({ event_id: id }: EventView) => id };

  return (
    <>
      <PageHeader
        title={words.title}
        text={words.help}
        actions={
          <DownloadCsv
            load={() => downloadEvents(projectId, search)}
            fileName="events.csv"
            help={words.csvHelp}
            disabled={isEmpty}
          />
        }
      />
      <Filters
        search={search}
        error={events.error}
        onFilter={filter}
        flowId={search.flowId ?? null}
        anyFlow
        withPlatform
        withEventType
      />
      {opened && <EventDetails event={opened} flowNames={flowNames} onClose={() => setOpened(null)} />}
      <FilteredView query={events} skeleton={<DataTable {...table} rows={undefined} />} onClear={clear}>
        {({ items, pagination }) =>
          isEmpty ? (
            <EmptyState
              icon={<IconListDetails size={32} stroke={1.5} />}
              title={words.emptyTitle}
              text={words.emptyText}
            />
          ) : (
            <Stack gap="xl">
              <EventDays search={search} />
              <div>
                <DataTable {...table} rows={items} />
                <PageButtons pagination={pagination} onPage={(page) => filter({ page })} />
              </div>
            </Stack>
          )
        }
      </FilteredView>
    </>
  );
}
