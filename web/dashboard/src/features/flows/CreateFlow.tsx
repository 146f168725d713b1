import { TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import * as z from "zod/mini";
import { useProjectId } from "@/api/projects";
import { useInvalidate } from "@/api/useInvalidate";
import { Dialog } from "@/ui/feedback/Dialog";
import { toast } from "@/ui/feedback/feedback";
import { ApiFormView } from "@/ui/form/ApiFormView";
import { useApiForm } from "@/ui/form/useApiForm";
import { createFlow, createStarterFlow } from "./queries";
import { flowName } from "./RenameFlow";
import { StarterChoice } from "./starters/StarterChoice";
import { STARTERS } from "./starters/starters";
import { flowTexts } from "./texts";

const schema = z.object({
  name: flowName,
});

/** A dialog that creates a flow, empty or with the screens of a starter, and opens it in the editor. */
export function CreateFlow({ onClose }: { onClose: () => void }) {
  const projectId = useProjectId();
  const queryClient = useQueryClient();
  const invalidate = useInvalidate();
  const navigate = useNavigate();
  const form = useApiForm({
    name: `create-flow:${projectId}`,
    initialValues: { name: "", starter: STARTERS[0]?.id ?? "" },
    schema,
    submit: async ({ name, starter }) => {
      const chosen = STARTERS.find(({ id }) => id === starter);
      const flow = chosen
        ? await createStarterFlow(queryClient, projectId, { starter: chosen, name: name.trim() })
        : await createFlow({ projectId, name: name.trim() });
      await invalidate("flow");
      toast(flowTexts.created(flow.name));
      await navigate({ to: "/projects/$projectId/flows/$flowId", params: { projectId, flowId: flow.id } });
    },
  });
  return (
    <Dialog title={flowTexts.createTitle} onClose={onClose}>
      <ApiFormView form={form} submitLabel={flowTexts.submit} onCancel={onClose}>
        <TextInput data-autofocus label={flowTexts.name} {...form.field("name", flowTexts.nameHelp)} />
        <StarterChoice
          label={flowTexts.starter}
          none={{ name: flowTexts.emptyStarter, text: flowTexts.emptyStarterText }}
          {...form.field("starter")}
        />
      </ApiFormView>
    </Dialog>
  );
}
