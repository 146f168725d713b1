import { Autocomplete, Divider, NumberInput, Stack, Textarea, TextInput } from "@mantine/core";
import { ConditionRows } from "@/features/audience/ConditionRows";
import type { ApiForm } from "@/ui/form/useApiForm";
import { experimentTexts } from "../texts";
import { type ExperimentValues, GOALS } from "./values";

const words = experimentTexts.form;

/** The first step: a name, the hypothesis, and the event that counts. */
export function IdeaStep({ form }: { form: ApiForm<ExperimentValues> }) {
  return (
    <Stack gap="md">
      <TextInput label={words.name} placeholder={words.namePlaceholder} {...form.field("name", words.nameHelp)} />
      <Textarea
        autosize
        minRows={3}
        label={words.hypothesis}
        placeholder={words.hypothesisPlaceholder}
        {...form.field("hypothesis", words.hypothesisHelp)}
      />
      <Autocomplete label={words.goal} data={GOALS} {...form.field("primary_event", words.goalHelp)} />
    </Stack>
  );
}

/** The third step: conditions, and the share of the users that match. */
export function AudienceStep({ form }: { form: ApiForm<ExperimentValues> }) {
  return (
    <Stack gap="md">
      <ConditionRows fields={form.fields} />
      <Divider />
      <NumberInput
        label={words.traffic}
        suffix="%"
        min={0}
        max={100}
        decimalScale={2}
        maw={320}
        {...form.field("traffic_percentage", words.trafficHelp)}
      />
    </Stack>
  );
}
