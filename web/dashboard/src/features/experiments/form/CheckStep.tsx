import { Stack, Text } from "@mantine/core";
import type { Condition } from "@/api/schema";
import { conditionOf } from "@/features/audience/conditions";
import type { ApiForm } from "@/ui/form/useApiForm";
import { Setup } from "../Setup";
import { experimentTexts } from "../texts";
import type { ExperimentValues } from "./values";

const words = experimentTexts.form;

/** The last step: everything that has been chosen, in words. */
export function CheckStep({ form }: { form: ApiForm<ExperimentValues> }) {
  const { values } = form.fields;
  const conditions: Condition[] = values.conditions.map(conditionOf);
  return (
    <Stack gap="md">
      <Text c="dimmed">{words.checkHelp}</Text>
      <Setup
        name={values.name.trim() || words.untitled}
        experiment={{
          hypothesis: values.hypothesis.trim() || null,
          primary_event: values.primary_event,
          traffic_percentage: Number(values.traffic_percentage),
          conditions,
          variants: values.variants.map((row, place) => ({
            key: row.key,
            name: row.name || row.flow,
            flow_id: row.flow_id,
            weight: Number(row.weight),
            is_control: place === 0,
          })),
        }}
        flowNames={new Map(values.variants.map(({ flow_id, flow }) => [flow_id, flow]))}
      />
    </Stack>
  );
}
