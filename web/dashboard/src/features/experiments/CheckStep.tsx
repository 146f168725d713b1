import { Anchor, Stack, Text } from "@mantine/core";
import type { Condition } from "@/api/schema";
import { conditionOf } from "@/features/targeting/conditions";
import { texts } from "@/texts";
import type { ApiForm } from "@/ui/form/useApiForm";
import { Setup } from "./Setup";
import type { Step } from "./searches";
import type { ExperimentValues } from "./values";

const words = texts.experiments.form;
const EDITABLE = ["idea", "variants", "audience"] as const;

interface CheckStepProps {
  form: ApiForm<ExperimentValues>;
  onStep: (step: Step) => void;
}

/** The last step: everything that has been chosen, in words. */
export function CheckStep({ form, onStep }: CheckStepProps) {
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
      <Text size="sm">
        {EDITABLE.map((step, place) => (
          <span key={step}>
            {place > 0 && " · "}
            <Anchor component="button" type="button" inherit onClick={() => onStep(step)}>
              {words.change(words.steps[step])}
            </Anchor>
          </span>
        ))}
      </Text>
    </Stack>
  );
}
