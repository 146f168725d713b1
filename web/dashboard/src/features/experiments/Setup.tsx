import { Group, Stack, Text } from "@mantine/core";
import { useProjectId } from "@/api/projects";
import type { Condition, VariantView } from "@/api/schema";
import { shareInWords, targetingInWords } from "@/features/audience/words";
import { variantColors } from "@/ui/charts/variantColors";
import { AnchorLink } from "@/ui/links";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { formatFraction } from "@/ui/values/format";
import classes from "./experiments.module.css";
import { experimentTexts } from "./texts";

const words = experimentTexts.setup;

interface SetupProps {
  /** The name, if the title of the view lacks it. */
  name?: string;
  experiment: {
    hypothesis: string | null;
    primary_event: string;
    traffic_percentage: number;
    conditions: Condition[];
    variants: VariantView[];
  };
  /** The names of flows by their ids, as far as they are known. */
  flowNames: ReadonlyMap<string, string>;
}

/** The set-up of an experiment: hypothesis, primary event, audience, variants with their flows. */
export function Setup({ name, experiment, flowNames }: SetupProps) {
  const projectId = useProjectId();
  const colors = variantColors(experiment.variants);
  const columns: readonly Column<VariantView>[] = [
    {
      key: "name",
      header: experimentTexts.form.variantName,
      render: (variant) => (
        <Group gap="xs" wrap="nowrap">
          <span className={classes.dot} style={{ background: colors.get(variant.key) }} />
          <Text inherit fw={550}>
            {variant.name}
          </Text>
          {variant.is_control && (
            <Text inherit c="dimmed">
              {words.control}
            </Text>
          )}
        </Group>
      ),
    },
    {
      key: "flow",
      header: words.flow,
      render: ({ flow_id }) =>
        flow_id === "" ? (
          "–"
        ) : (
          <AnchorLink to="/projects/$projectId/flows/$flowId" params={{ projectId, flowId: flow_id }}>
            {flowNames.get(flow_id) ?? experimentTexts.openFlow}
          </AnchorLink>
        ),
    },
    { key: "weight", header: words.weight, numeric: true, render: ({ weight }) => formatFraction(weight / 100) },
  ];
  const audience = shareInWords(targetingInWords(experiment), experiment.traffic_percentage);
  return (
    <Stack gap="md">
      <dl className={classes.terms}>
        {name && <Term label={experimentTexts.name} value={name} />}
        {experiment.hypothesis && <Term label={words.hypothesis} value={experiment.hypothesis} />}
        <Term label={words.goal} value={experiment.primary_event} />
        <Term label={words.audience} value={audience} />
      </dl>
      <DataTable label={words.variants} columns={columns} rows={experiment.variants} rowKey={({ key }) => key} />
    </Stack>
  );
}

function Term({ label, value }: { label: string; value: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </>
  );
}
