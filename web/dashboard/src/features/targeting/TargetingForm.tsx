import { Divider, NumberInput, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import type { FlowView } from "@/api/schema";
import { updateFlow } from "@/features/flows/queries";
import { texts } from "@/texts";
import { toast } from "@/ui/feedback";
import { ApiFormView } from "@/ui/form/ApiFormView";
import { useApiForm } from "@/ui/form/useApiForm";
import { ConditionRows } from "./ConditionRows";
import { conditionFieldNames, conditionOf, conditionRows, rowOf } from "./conditions";
import { targetedFlowQuery } from "./queries";

const words = texts.targeting;

const schema = z.object({
  percentage: z
    .number(words.percentageRange)
    .check(z.minimum(0, words.percentageRange), z.maximum(100, words.percentageRange)),
  conditions: conditionRows,
});

/** The service's names of the fields of rows. */
const FIELD_NAMES = { "targeting.percentage": "percentage", ...conditionFieldNames("targeting.conditions") };

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
  return (
    <ApiFormView form={form} submitLabel={texts.ui.save}>
      <Title order={2}>{words.conditions}</Title>
      <ConditionRows fields={form.fields} />
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
