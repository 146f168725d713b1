import { Group, SegmentedControl, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ExperimentView, ResultDayView } from "@/api/schema";
import { TrendChart } from "@/ui/charts";
import { TableToggle } from "@/ui/charts/TableToggle";
import { variantColors } from "@/ui/charts/variantColors";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { formatCount, formatDay, formatFraction } from "@/ui/values/format";
import { DAY_MEASURES, type DayMeasure } from "../searches";
import { experimentTexts } from "../texts";

const words = experimentTexts.results;

const OPTIONS = DAY_MEASURES.map((value) => ({ value, label: words.measures[value] }));

interface Row {
  date: string;
  name: string;
  key: string;
  users: number;
  conversions: number;
}

const COLUMNS: readonly Column<Row>[] = [
  { key: "day", header: words.day, render: ({ date }) => formatDay(date) },
  { key: "variant", header: words.variant, render: ({ name }) => name },
  { key: "users", header: words.measures.users, numeric: true, render: ({ users }) => formatCount(users) },
  {
    key: "conversions",
    header: words.measures.conversions,
    numeric: true,
    render: ({ conversions }) => formatCount(conversions),
  },
  {
    key: "rate",
    header: words.rateColumn,
    numeric: true,
    hideBelow: "sm",
    render: ({ users, conversions }) => (users === 0 ? "–" : formatFraction(conversions / users)),
  },
];

interface ResultDaysProps {
  experiment: ExperimentView;
  days: readonly ResultDayView[];
  measure: DayMeasure;
  onMeasure: (measure: DayMeasure) => void;
}

/** Users and successes of the variants by the day on which the users entered, as lines or as a table. */
export function ResultDays({ experiment, days, measure, onMeasure }: ResultDaysProps) {
  const [asTable, { toggle }] = useDisclosure();
  const names = new Map(experiment.variants.map(({ key, name }) => [key, name]));
  const colors = variantColors(experiment.variants);
  const label = words.byDayTitle(words.measures[measure]);
  return (
    <section aria-label={words.byDay}>
      <Group justify="space-between" mb={4}>
        <Title order={2}>{words.byDay}</Title>
        <TableToggle asTable={asTable} onToggle={toggle} />
      </Group>
      {asTable ? (
        <DataTable
          label={words.byDay}
          columns={COLUMNS}
          rows={days
            .toReversed()
            .flatMap(({ date, variants }) =>
              variants.map((variant) => ({ ...variant, date, name: names.get(variant.key) ?? variant.key })),
            )}
          rowKey={({ date, key }) => `${date} ${key}`}
        />
      ) : (
        <>
          <Group justify="space-between" mb="md" gap="xs">
            <Text c="dimmed">{label}</Text>
            <SegmentedControl
              aria-label={words.measure}
              data={OPTIONS}
              value={measure}
              onChange={(chosen) => onMeasure(chosen as DayMeasure)}
            />
          </Group>
          <TrendChart
            label={label}
            days={days.map(({ date, variants }) => ({
              date,
              ...Object.fromEntries(variants.map((variant) => [variant.key, variant[measure]])),
            }))}
            series={experiment.variants.map(({ key, name }) => ({ name: key, label: name, color: colors.get(key) }))}
            format={formatCount}
            integers
          />
        </>
      )}
    </section>
  );
}
