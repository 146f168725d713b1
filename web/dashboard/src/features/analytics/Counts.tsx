import { Stack, Text, Title } from "@mantine/core";
import type { AnalyticsView } from "@/api/schema";
import { Bars, TrendChart } from "@/ui/charts";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { Figures } from "@/ui/values/Figures";
import { formatCount } from "@/ui/values/format";
import { type CountRow, chartRows, groupName, groupOf, MAX_GROUPS } from "./counts";
import { analyticsTexts } from "./texts";

const words = analyticsTexts.counts;
const SERIES = [
  { name: "events", label: words.events },
  { name: "users", label: words.users, color: "gray.5" },
];

interface CountsProps {
  counts: AnalyticsView;
  /** The names of flows or screens by their ids. */
  names: ReadonlyMap<string, string>;
}

/** Events and users as totals, picture and table. */
export function Counts({ counts, names }: CountsProps) {
  const { group_by: by, rows, totals } = counts;
  const picture = words.picture(words.groups[by]);
  const columns: readonly Column<CountRow>[] = [
    { key: "group", header: words.headers[by], render: (row) => groupName(by, row, names) },
    { key: "events", header: words.events, numeric: true, render: (row) => formatCount(row.events) },
    { key: "users", header: words.users, numeric: true, render: (row) => formatCount(row.users) },
  ];
  return (
    <Stack gap="xl">
      <Figures
        figures={[
          [words.events, formatCount(totals.events)],
          [words.users, formatCount(totals.users)],
        ]}
      />
      <section>
        <Title order={2} size="h3" mb="xs">
          {picture}
        </Title>
        {by === "day" ? (
          <TrendChart label={picture} days={chartRows(counts, names)} series={SERIES} format={formatCount} integers />
        ) : (
          <Bars label={picture} rows={chartRows(counts, names)} series={SERIES} format={formatCount} />
        )}
      </section>
      <section>
        {by !== "day" && rows.length >= MAX_GROUPS && (
          <Text c="dimmed" mb="xs">
            {words.cut(formatCount(MAX_GROUPS))}
          </Text>
        )}
        <DataTable
          label={words.groups[by]}
          columns={columns}
          rows={by === "day" ? rows.toReversed() : rows}
          rowKey={(row) => groupOf(by, row) ?? ""}
        />
      </section>
    </Stack>
  );
}
