import { Divider, NumberInput, Title } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useEffect, useState } from "react";
import * as z from "zod/mini";
import type { EditedFlow } from "@/features/editor/queries";
import { texts } from "@/texts";
import { toast } from "@/ui/feedback";
import { ApiFormView } from "@/ui/form/ApiFormView";
import { useApiForm } from "@/ui/form/useApiForm";
import { dropUnsavedWork } from "@/ui/unsavedWork";
import { ConditionRows } from "./ConditionRows";
import { conditionFieldNames, conditionOf, conditionRows, rowOf } from "./conditions";
import { isChanged, saveTargeting, seenOf, TargetingConflict, targetingOf } from "./saving";
import { TargetingConflictNote } from "./TargetingConflictNote";

const words = texts.targeting;

const schema = z.object({
  percentage: z
    .number(words.percentageRange)
    .check(z.minimum(0, words.percentageRange), z.maximum(100, words.percentageRange)),
  conditions: conditionRows,
});

/** The fields of the form by their names in the interface, where those differ. */
const FIELD_NAMES = { "targeting.percentage": "percentage", ...conditionFieldNames("targeting.conditions") };

interface TargetingFormProps {
  edited: EditedFlow;
  /** Whether the draft is saved instead of the live flow. */
  intoDraft: boolean;
  /** Start again with this flow, or with the present flow for null. */
  onRestart: (edited: EditedFlow | null) => Promise<void>;
  onUnsaved: (isUnsaved: boolean) => void;
}

/** The conditions of a flow as rows, and the share of the devices that match. */
export function TargetingForm({ edited, intoDraft, onRestart, onUnsaved }: TargetingFormProps) {
  const name = `targeting ${edited.flow.id}`;
  const before = targetingOf(edited);
  const [newest, setNewest] = useState(edited);
  const form = useApiForm({
    name,
    // The version that was read is kept with unsaved changes, so that a later save is a conflict after a reload, too.
    initialValues: { percentage: before.percentage, conditions: before.conditions.map(rowOf), seen: seenOf(edited) },
    schema,
    fieldNames: FIELD_NAMES,
    submit: async ({ percentage, conditions, seen }) => {
      const targeting = { percentage, conditions: conditions.map(conditionOf) };
      try {
        await saveTargeting(newest, seen, intoDraft, targeting);
      } catch (error) {
        if (error instanceof TargetingConflict) {
          setNewest(error.theirs);
        }
        throw error;
      }
      toast(intoDraft ? words.savedToDraft : words.saved);
      dropUnsavedWork(name);
      await onRestart(null);
    },
  });
  useHotkeys([["mod+S", () => form.onSubmit()]], [], true);
  const isUnsaved = form.fields.isDirty();
  useEffect(() => onUnsaved(isUnsaved), [isUnsaved, onUnsaved]);
  return (
    <ApiFormView form={form} submitLabel={intoDraft ? words.saveToDraft : texts.ui.save}>
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
      {isChanged(form.fields.values.seen, newest) && (
        <TargetingConflictNote
          theirs={newest}
          onMine={() => {
            form.fields.setFieldValue("seen", seenOf(newest));
            form.onSubmit();
          }}
          onTheirs={() => {
            form.discard();
            form.fields.reset();
            void onRestart(newest);
          }}
        />
      )}
    </ApiFormView>
  );
}
