import { Group, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ExperimentResultsView, ExperimentView, VariantResultView } from "@/api/schema";
import { daysOfExperiment } from "@/features/analytics/filters/search";
import { analyticsTexts } from "@/features/analytics/texts";
import { Intervals } from "@/ui/charts/Intervals";
import { TableToggle } from "@/ui/charts/TableToggle";
import { variantColors } from "@/ui/charts/variantColors";
import { AnchorLink } from "@/ui/links";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { formatCount, formatFraction, formatLift } from "@/ui/values/format";
import { StatusBadge } from "@/ui/values/StatusBadge";
import { experimentTexts } from "../texts";
import { differenceOf, formatPValue } from "./verdict";

const words = experimentTexts.results;
/** Intervals beyond this multiple of the greatest lift are cut off. The numbers beside them are exact. */
const LIFT_LIMIT = 3;

interface ResultsProps {
  experiment: ExperimentView;
  results: ExperimentResultsView;
  /** The names of flows by their ids, as far as they are known. */
  flowNames: ReadonlyMap<string, string>;
}

/** The rates of the variants and their lifts over the control, as a plot or as a table. */
export function Results({ experiment, results, flowNames }: ResultsProps) {
  const [asTable, { toggle }] = useDisclosure();
  const names = new Map(experiment.variants.map(({ key, name }) => [key, name]));
  const nameOf = (key: string) => names.get(key) ?? key;
  const colors = variantColors(experiment.variants);
  const control = results.variants.find(({ is_control }) => is_control);
  const rowOf = (variant: VariantResultView) => ({
    key: variant.key,
    label: nameOf(variant.key),
    color: colors.get(variant.key) ?? "gray",
    sizes: words.ofUsers(formatCount(variant.conversions), formatCount(variant.users)),
  });
  return (
    <section aria-label={words.title}>
      <Group justify="space-between" mb="xs">
        <Title order={2}>{words.title}</Title>
        <TableToggle asTable={asTable} onToggle={toggle} />
      </Group>
      {asTable ? (
        <ResultsTable results={results} nameOf={nameOf} control={control} />
      ) : (
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing={48} verticalSpacing="lg">
          <Stack gap={4}>
            <Text fw={550}>{words.rate(results.primary_event)}</Text>
            <Intervals
              label={words.rate(results.primary_event)}
              rows={results.variants.map((variant) => ({
                ...rowOf(variant),
                value: variant.rate,
                interval: variant.rate_interval,
                missing: words.noUsers,
              }))}
              format={formatFraction}
              formatRange={words.range}
              limits={[0, 1]}
            />
          </Stack>
          <Stack gap={4}>
            <Text fw={550}>{words.lift(nameOf(control?.key ?? ""))}</Text>
            <Intervals
              label={words.lift(nameOf(control?.key ?? ""))}
              rows={results.variants
                .filter(({ is_control }) => !is_control)
                .map((variant) => ({
                  ...rowOf(variant),
                  value: variant.lift,
                  interval: variant.lift_interval,
                  missing: words.noComparison,
                }))}
              format={formatLift}
              formatRange={words.range}
              origin={0}
              limits={[-1, LIFT_LIMIT * Math.max(...results.variants.map(({ lift }) => lift ?? 0), 1 / LIFT_LIMIT)]}
            />
          </Stack>
        </SimpleGrid>
      )}
      <Text size="sm" c="dimmed" mt="xs">
        {[
          !asTable && words.interval,
          results.excluded_multiple_variants > 0 && words.excluded(formatCount(results.excluded_multiple_variants)),
        ]
          .filter(Boolean)
          .join(" ")}
      </Text>
      <FunnelLinks experiment={experiment} flowNames={flowNames} />
    </section>
  );
}

/** A link to the funnel of each flow of an experiment, by its variants and of its days. */
function FunnelLinks({ experiment, flowNames }: Pick<ResultsProps, "experiment" | "flowNames">) {
  const { id: experimentId, project_id: projectId, started_at: startedAt, ended_at: endedAt, variants } = experiment;
  const days = startedAt === null ? {} : daysOfExperiment(startedAt, endedAt);
  const flowIds = [...new Set(variants.map(({ flow_id }) => flow_id))];
  return (
    <Group component="nav" aria-label={words.funnels} gap="xs" mt="xs">
      <Text size="sm">{words.funnels}</Text>
      {flowIds.map((flowId) => (
        <AnchorLink
          key={flowId}
          to="/projects/$projectId/analytics/funnel"
          params={{ projectId }}
          search={{ flowId, experimentId, ...days }}
          size="sm"
        >
          {flowNames.get(flowId) ?? analyticsTexts.funnel.title}
        </AnchorLink>
      ))}
    </Group>
  );
}

interface ResultsTableProps {
  results: ExperimentResultsView;
  nameOf: (key: string) => string;
  control: VariantResultView | undefined;
}

function ResultsTable({ results, nameOf, control }: ResultsTableProps) {
  const columns: readonly Column<VariantResultView>[] = [
    { key: "name", header: words.variant, render: ({ key }) => nameOf(key) },
    { key: "users", header: experimentTexts.users, numeric: true, render: ({ users }) => formatCount(users) },
    {
      key: "conversions",
      header: words.conversions,
      numeric: true,
      hideBelow: "sm",
      render: ({ conversions }) => formatCount(conversions),
    },
    {
      key: "rate",
      header: words.rateColumn,
      numeric: true,
      render: ({ rate }) => (rate === null ? "–" : formatFraction(rate)),
    },
    {
      key: "lift",
      header: words.liftColumn,
      numeric: true,
      render: ({ lift, is_control }) => (is_control ? words.isControl : lift === null ? "–" : formatLift(lift)),
    },
    {
      key: "verdict",
      header: words.verdict,
      hideBelow: "sm",
      render: (variant) => <Difference variant={variant} control={control} />,
    },
  ];
  return <DataTable label={words.title} columns={columns} rows={results.variants} rowKey={({ key }) => key} />;
}

function Difference({ variant, control }: { variant: VariantResultView; control: VariantResultView | undefined }) {
  if (variant.is_control || control === undefined) {
    return null;
  }
  const difference = differenceOf(variant, control);
  return (
    <Group gap="xs">
      {difference === null ? (
        words.undecided
      ) : (
        <StatusBadge tone={difference === "better" ? "good" : "bad"}>{words.differences[difference]}</StatusBadge>
      )}
      {variant.sequential_p_value !== null && (
        <Text inherit c="dimmed">
          {words.pValue(formatPValue(variant.sequential_p_value))}
        </Text>
      )}
    </Group>
  );
}
