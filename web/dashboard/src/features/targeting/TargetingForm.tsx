import { Divider, NumberInput, Stack, Text, Title } from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { type FocusEvent, useEffect, useRef } from "react";
import * as z from "zod/mini";
import { ConditionRows } from "@/features/audience/ConditionRows";
import { conditionFieldNames, conditionOf, conditionRows, rowOf } from "@/features/audience/conditions";
import { conditionTexts } from "@/features/audience/texts";
import type { FlowDraftStore } from "@/features/editor/draft/draftStore";
import { isSame } from "@/features/editor/draft/merge";
import { sortDetails } from "@/ui/form/fieldErrors";
import { useKeptWork, useUnsavedWork } from "@/ui/form/unsavedWork";
import { Matches } from "./Matches";
import { targetingTexts } from "./texts";

const words = conditionTexts;

const schema = z.object({
  percentage: z
    .number(targetingTexts.percentageRange)
    .check(z.minimum(0, targetingTexts.percentageRange), z.maximum(100, targetingTexts.percentageRange)),
  conditions: conditionRows,
});

/** The fields of the form by their names in the interface, where those differ. */
const FIELD_NAMES = {
  "document.targeting.percentage": "percentage",
  ...conditionFieldNames("document.targeting.conditions"),
};

type Targeting = FlowDraftStore["document"]["targeting"];

function valuesOf({ percentage, conditions }: Targeting) {
  return { percentage, conditions: conditions.map((condition, place) => rowOf(condition, place)) };
}

interface TargetingFormProps {
  store: FlowDraftStore;
  edit: (change: () => void) => void;
}

/**
 * The conditions of a flow as rows, and the share of the devices that match: a section of the draft. A row that is not
 * complete stays in the form, and nothing of the form is saved until it is.
 */
export function TargetingForm({ store, edit }: TargetingFormProps) {
  const { document, state, stored } = store;
  const name = `targeting ${stored.flow.id}`;
  const kept = useKeptWork<ReturnType<typeof valuesOf>>(name);
  const form = useForm({
    mode: "controlled",
    initialValues: kept ?? valuesOf(document.targeting),
    validate: schemaResolver(schema, { sync: true }),
  });
  const { values } = form;
  const isComplete = schema.safeParse(values).success;
  useUnsavedWork(name, isComplete ? null : values);
  /** The targeting that the form has sent or shows. */
  const known = useRef(document.targeting);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed changes the draft
  useEffect(() => {
    if (Object.keys(form.errors).length > 0) {
      form.validate();
    }
    if (!isComplete) {
      return;
    }
    const targeting = { percentage: values.percentage, conditions: values.conditions.map(conditionOf) } as Targeting;
    if (!isSame(targeting, store.document.targeting)) {
      edit(() => {
        known.current = targeting;
        store.change({ ...store.document, targeting }, "targeting");
      });
    }
  }, [values]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form takes what comes from elsewhere, such as an undo
  useEffect(() => {
    if (!isSame(known.current, document.targeting)) {
      known.current = document.targeting;
      form.setValues(valuesOf(document.targeting));
      form.clearErrors();
    }
  }, [document.targeting]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the errors belong to this state
  useEffect(() => {
    if (state.kind === "failed") {
      form.setErrors(sortDetails(state, values, FIELD_NAMES).fields);
    }
  }, [state]);

  // Only when the form is left: an error that appears between press and release moves the pressed button away.
  const leave = ({ currentTarget, relatedTarget }: FocusEvent) =>
    relatedTarget !== null && !currentTarget.contains(relatedTarget) && form.validate();

  return (
    <Stack gap="md" onBlur={leave}>
      <Title order={2}>{words.conditions}</Title>
      <ConditionRows fields={form} />
      {document.targeting.conditions.length > 0 && <Matches conditions={document.targeting.conditions} />}
      <Divider />
      <NumberInput
        label={targetingTexts.percentage}
        description={"percentage" in form.errors ? undefined : targetingTexts.percentageHelp}
        suffix="%"
        min={0}
        max={100}
        decimalScale={2}
        maw={200}
        {...form.getInputProps("percentage")}
      />
      <Text size="sm" c="dimmed">
        {isComplete ? targetingTexts.publishToUse : targetingTexts.incomplete}
      </Text>
    </Stack>
  );
}
