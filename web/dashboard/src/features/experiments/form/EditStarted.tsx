import { NumberInput, Textarea, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import type { Tagged } from "@/api/responses";
import type { ExperimentView } from "@/api/schema";
import { useInvalidate } from "@/api/useInvalidate";
import { LiveFacts } from "@/features/audience/LiveFacts";
import { shareInWords, targetingInWords } from "@/features/audience/words";
import { texts } from "@/texts";
import { Dialog } from "@/ui/feedback/Dialog";
import { toast } from "@/ui/feedback/feedback";
import { useUndo } from "@/ui/feedback/useUndo";
import { ApiFormView } from "@/ui/form/ApiFormView";
import { useApiForm } from "@/ui/form/useApiForm";
import { useNewest, VersionConflict } from "@/ui/form/VersionConflict";
import { experimentQuery, updateExperiment } from "../queries";
import { experimentTexts } from "../texts";
import { STEP_SCHEMAS } from "./values";

const words = experimentTexts.form;
const ideaShape = STEP_SCHEMAS.idea.shape;

interface EditStartedProps {
  experiment: Tagged<ExperimentView>;
  onClose: () => void;
}

/**
 * A dialog for the members that may change after the start: name, hypothesis and, until the end, the share of users.
 */
export function EditStarted({ experiment, onClose }: EditStartedProps) {
  const { data } = experiment;
  const hasEnded = data.status === "completed";
  const invalidate = useInvalidate();
  const queryClient = useQueryClient();
  const offerUndo = useUndo("experiment");
  const { newest, save } = useNewest(experiment, () =>
    queryClient.fetchQuery({ ...experimentQuery(data.id), staleTime: 0 }),
  );
  const form = useApiForm({
    name: `experiment started ${data.id}`,
    initialValues: {
      name: data.name,
      hypothesis: data.hypothesis ?? "",
      traffic_percentage: data.traffic_percentage,
      etag: experiment.etag,
    },
    schema: z.object({
      name: ideaShape.name,
      hypothesis: ideaShape.hypothesis,
      traffic_percentage: STEP_SCHEMAS.audience.shape.traffic_percentage,
    }),
    submit: async ({ name, hypothesis, traffic_percentage, etag }) => {
      const body = {
        name: name.trim(),
        hypothesis: hypothesis.trim() || null,
        ...(hasEnded ? {} : { traffic_percentage }),
      };
      const saved = await save(() => updateExperiment({ data, etag }, body));
      await invalidate("experiment");
      const former = { name: data.name, hypothesis: data.hypothesis, traffic_percentage: data.traffic_percentage };
      if (changesDevices) {
        offerUndo(experimentTexts.life.saved, () => updateExperiment(saved, former));
      } else {
        toast(experimentTexts.life.saved);
      }
      onClose();
    },
  });
  const traffic = form.fields.values.traffic_percentage;
  const changesDevices = !hasEnded && traffic !== data.traffic_percentage;
  return (
    <Dialog title={experimentTexts.life.editTitle(data.name)} onClose={onClose}>
      <ApiFormView form={form} submitLabel={texts.ui.save} onCancel={onClose}>
        <TextInput data-autofocus label={words.name} {...form.field("name", words.nameHelp)} />
        <Textarea autosize minRows={2} label={words.hypothesis} {...form.field("hypothesis", words.hypothesisHelp)} />
        {!hasEnded && (
          <NumberInput
            label={words.traffic}
            suffix="%"
            min={0}
            max={100}
            decimalScale={2}
            {...form.field("traffic_percentage", words.trafficHelp)}
          />
        )}
        {changesDevices && (
          <LiveFacts projectId={data.project_id} who={shareInWords(targetingInWords(data.audience), traffic)} />
        )}
        <VersionConflict
          form={form}
          newestEtag={newest.etag}
          onTheirs={() => void invalidate("experiment").then(onClose)}
        />
      </ApiFormView>
    </Dialog>
  );
}
