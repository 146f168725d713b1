import { Switch, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import * as z from "zod/mini";
import { projectQuery, useProjectId } from "@/api/projects";
import { useInvalidate } from "@/api/useInvalidate";
import { Dialog } from "@/ui/feedback/Dialog";
import { toast } from "@/ui/feedback/feedback";
import { ApiFormView } from "@/ui/form/ApiFormView";
import { useApiForm } from "@/ui/form/useApiForm";
import { flowName } from "./RenameFlow";
import { createFlow, createFlowFromTemplate, flowTemplatesQuery } from "./templates/queries";
import { NO_TEMPLATE, TemplateChoice } from "./templates/TemplateChoice";
import { flowTexts, templateTexts } from "./texts";

const schema = z.object({
  name: flowName,
});

/** A dialog that creates a flow, empty or from a template, and opens it in the editor. */
export function CreateFlow({ onClose }: { onClose: () => void }) {
  const projectId = useProjectId();
  const projectName = useQuery(projectQuery(projectId)).data?.data.name ?? "";
  const queryClient = useQueryClient();
  const invalidate = useInvalidate();
  const navigate = useNavigate();
  const templates = useQuery(flowTemplatesQuery).data;
  const form = useApiForm({
    name: `create-flow:${projectId}`,
    initialValues: { name: "", template: NO_TEMPLATE, hasItsTheme: false },
    schema,
    submit: async ({ template, hasItsTheme, ...values }) => {
      const chosen = templates?.find(({ id }) => id === template);
      const name = values.name.trim();
      const flow = chosen
        ? await createFlowFromTemplate(queryClient, chosen, { projectId, name, hasItsTheme })
        : await createFlow({ projectId, name });
      await Promise.all([invalidate("flow"), invalidate("theme")]);
      toast(flowTexts.created(flow.name));
      await navigate({ to: "/projects/$projectId/flows/$flowId", params: { projectId, flowId: flow.id } });
    },
  });
  const { template, name } = form.fields.values;
  const chosen = templates?.find(({ id }) => id === template);
  /** Choose a template; its name stands in the field until the user types another one. */
  const choose = (id: string) => {
    const next = templates?.find((candidate) => candidate.id === id);
    const isTyped = name !== "" && name !== chosen?.name;
    form.fields.setValues({ template: id, ...(isTyped ? {} : { name: next?.name ?? "" }) });
  };
  return (
    <Dialog title={flowTexts.createTitle} size="lg" onClose={onClose}>
      <ApiFormView form={form} submitLabel={flowTexts.submit} onCancel={onClose}>
        <TextInput data-autofocus label={flowTexts.name} {...form.field("name", flowTexts.nameHelp)} />
        <TemplateChoice
          label={flowTexts.starter}
          projectName={projectName}
          none={{ name: flowTexts.emptyStarter, text: flowTexts.emptyStarterText }}
          {...form.field("template")}
          onChange={choose}
        />
        {chosen && (
          <Switch
            label={templateTexts.theme(String(chosen.theme.name))}
            checked={form.fields.values.hasItsTheme}
            {...form.field("hasItsTheme", templateTexts.themeHelp)}
          />
        )}
      </ApiFormView>
    </Dialog>
  );
}
