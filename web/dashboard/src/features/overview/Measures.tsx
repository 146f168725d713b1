import { Box, Button, Group, Skeleton, Stack, Text, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { StatisticsView } from "@/api/schema";
import { texts } from "@/texts";
import { ChartSkeleton, TrendChart } from "@/ui/charts";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { formatCount, formatDay } from "@/ui/values/format";
import classes from "./Measures.module.css";
import { byDay, DEFINITIONS, isKnown, MEASURES, type Measure } from "./measures";
import { overviewTexts } from "./texts";

interface MeasuresProps {
  statistics: StatisticsView;
  measure: Measure;
  onMeasure: (measure: Measure) => void;
}

type Day = StatisticsView["daily_stats"][number];

const COLUMNS: readonly Column<Day>[] = [
  { key: "date", header: overviewTexts.day, render: (day) => formatDay(day.date) },
  ...MEASURES.map((measure) => ({
    key: measure,
    header: DEFINITIONS[measure].label,
    numeric: true,
    hideBelow: measure === "users" || measure === "completion_rate" ? undefined : ("sm" as const),
    render: (day: Day) => {
      const value = measure === "completion_rate" && day.users === 0 ? null : day[measure];
      return value === null || value === undefined ? overviewTexts.noValue : DEFINITIONS[measure].format(value);
    },
  })),
];

/** The measures of the period: their totals, one of them by day as a chart, all of them by day as a table. */
export function Measures({ statistics, measure, onMeasure }: MeasuresProps) {
  const [asTable, { toggle }] = useDisclosure();
  const { label, format, max, whole } = DEFINITIONS[measure];
  return (
    <section aria-label={overviewTexts.measures}>
      <div className={classes.measures}>
        {MEASURES.map((one) => (
          <UnstyledButton
            key={one}
            className={classes.measure}
            aria-pressed={one === measure}
            onClick={() => onMeasure(one)}
          >
            <Text size="sm" c="dimmed">
              {DEFINITIONS[one].label}
            </Text>
            <Text className={classes.total}>
              {isKnown(one, statistics)
                ? DEFINITIONS[one].format(DEFINITIONS[one].total(statistics.overview))
                : overviewTexts.noValue}
            </Text>
          </UnstyledButton>
        ))}
      </div>
      <Group justify="space-between" mt="md" mb="xs">
        <Text fw={550}>{overviewTexts.byDay(label)}</Text>
        <Button variant="subtle" color="gray" size="compact-sm" onClick={toggle} aria-pressed={asTable}>
          {asTable ? texts.charts.asChart : texts.charts.asTable}
        </Button>
      </Group>
      {asTable ? (
        <DataTable
          label={overviewTexts.measures}
          columns={COLUMNS}
          rows={statistics.daily_stats.toReversed()}
          rowKey={(day) => day.date}
        />
      ) : isKnown(measure, statistics) && statistics.overview.total_users > 0 ? (
        <TrendChart
          label={overviewTexts.byDay(label)}
          days={byDay(measure, statistics)}
          series={[{ name: "value", label }]}
          format={format}
          max={max}
          integers={whole}
        />
      ) : (
        <Box className={classes.nothing}>
          <Text c="dimmed">{overviewTexts.nothingInPeriod(formatCount(statistics.overview.total_users))}</Text>
        </Box>
      )}
    </section>
  );
}

/** The shape of the measures while they load. */
export function MeasuresSkeleton() {
  return (
    <Stack gap="md" role="group" aria-busy="true" aria-label={texts.ui.loading}>
      <div className={classes.measures}>
        {MEASURES.map((measure) => (
          <Stack key={measure} gap="xs" p="md">
            <Skeleton height={16} width={96} />
            <Skeleton height={24} width={64} />
          </Stack>
        ))}
      </div>
      <ChartSkeleton />
    </Stack>
  );
}
