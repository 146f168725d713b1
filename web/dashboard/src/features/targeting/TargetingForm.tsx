import { Button, Divider, NumberInput, Stack, Text, Title } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import type { FlowView } from "@/api/schema";
import { updateFlow } from "@/features/flows/queries";
import { texts } from "@/texts";
import { toast } from "@/ui/feedback";
import { ApiFormView } from "@/ui/form/ApiFormView";
import { useApiForm } from "@/ui/form/useApiForm";
import { ConditionFields } from "./ConditionFields";
import { type ConditionRow, CUSTOM, conditionOf, hasValue, newRow, rowOf } from "./conditions";
import { targetedFlowQuery } from "./queries";

const words = texts.targeting;
const MAX_CONDITIONS = 50;

const schema = z.object({
  percentage: z
    .number(words.percentageRange)
    .check(z.minimum(0, words.percentageRange), z.maximum(100, words.percentageRange)),
  conditions: z.array(
    z.custom<ConditionRow>().check(
      z.refine((row) => row.attribute !== CUSTOM || row.name !== "", { path: ["name"], error: words.nameMissing }),
      z.refine(hasValue, { path: ["value"], error: words.valueMissing }),
    ),
  ),
});

/** The service's names of the fields of rows. */
const FIELD_NAMES = Object.fromEntries([
  ["targeting.percentage", "percentage"],
  ...Array.from({ length: MAX_CONDITIONS }, (_, place) => [
    `targeting.conditions.${place}`,
    `conditions.${place}.value`,
  ]),
]) as Record<string, string>;

/** The conditions of a flow as rows, and the share of the devices that match. */
export function TargetingForm({ flow }: { flow: FlowView }) {
  const queryClient = useQueryClient();
  const form = useApiForm({
    name: `targeting ${flow.id}`,
    initialValues: { percentage: flow.targeting.percentage, conditions: flow.targeting.conditions.map(rowOf) },
    schema,
    fieldNames: FIELD_NAMES,
    submit: async ({ percentage, conditions }) => {
      await updateFlow(flow.id, { targeting: { percentage, conditions: conditions.map(conditionOf) } });
      toast(words.saved);
      await Promise.all(
        [
          targetedFlowQuery(flow.id).queryKey,
          ["flows", flow.project_id],
          ["explanation", flow.project_id],
          ["edited-flow", flow.id],
        ].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      );
    },
  });
  const { conditions } = form.fields.values;
  return (
    <ApiFormView form={form} submitLabel={texts.ui.save}>
      <Title order={2}>{words.conditions}</Title>
      <Text c="dimmed">{conditions.length === 0 ? words.noConditions : words.allMustHold}</Text>
      <Stack gap="sm">
        {conditions.map((row, place) => (
          <ConditionFields
            key={row.key}
            row={row}
            place={place + 1}
            errors={{
              name: form.fields.errors[`conditions.${place}.name`],
              value: form.fields.errors[`conditions.${place}.value`],
            }}
            onChange={(changed) => form.fields.replaceListItem("conditions", place, changed)}
            onRemove={() => form.fields.removeListItem("conditions", place)}
          />
        ))}
      </Stack>
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={18} />}
          disabled={conditions.length >= MAX_CONDITIONS}
          onClick={() => form.fields.insertListItem("conditions", newRow())}
        >
          {words.addCondition}
        </Button>
      </div>
      <Divider />
      <NumberInput
        label={words.percentage}
        suffix="%"
        min={0}
        max={100}
        decimalScale={2}
        maw={200}
        {...form.field("percentage", words.percentageHelp)}
      />
    </ApiFormView>
  );
}
