import { Checkbox, Group, Textarea, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import * as z from "zod/mini";
import { createProject } from "@/api/projects";
import { useInvalidate } from "@/api/useInvalidate";
import { createFlowFromTemplate, flowTemplatesQuery } from "@/features/flows/templates/queries";
import { TemplateChoice } from "@/features/flows/templates/TemplateChoice";
import { templateTexts } from "@/features/flows/texts";
import { texts } from "@/texts";
import { Dialog } from "@/ui/feedback/Dialog";
import { toast, toastError } from "@/ui/feedback/feedback";
import { ApiFormView } from "@/ui/form/ApiFormView";
import { useApiForm } from "@/ui/form/useApiForm";
import { PLATFORMS } from "@/ui/platforms";
import { projectTexts } from "./texts";

const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(3, projectTexts.nameLength), z.maxLength(50, projectTexts.nameLength)),
  description: z.string().check(z.trim(), z.maxLength(200, projectTexts.descriptionLength)),
  platforms: z.array(z.string()).check(z.minLength(1, projectTexts.platformsMissing)),
});

const INITIAL = {
  name: "",
  description: "",
  platforms: [...PLATFORMS] as ("ios" | "android")[],
  template: "welcome_tour",
};

/** A dialog that creates a project, and a flow from a template in it if one is chosen. */
export function CreateProject({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const invalidate = useInvalidate();
  const templates = useQuery(flowTemplatesQuery).data;
  const navigate = useNavigate();
  const form = useApiForm({
    name: "create-project",
    initialValues: INITIAL,
    schema,
    submit: async ({ name, description, platforms, template }) => {
      const project = await createProject({
        name: name.trim(),
        description: description.trim() || null,
        platforms,
      });
      const chosen = templates?.find(({ id }) => id === template);
      if (chosen) {
        // The project is new, so no device gets the flow before a developer has put the project's key into an app.
        const flow = { projectId: project.id, status: "active", is_default: true, hasItsTheme: true } as const;
        await createFlowFromTemplate(queryClient, chosen, flow).catch((error) =>
          toastError(error, projectTexts.starterFailed),
        );
      }
      await invalidate("projects");
      toast(projectTexts.createdToast(project.name));
      await navigate({ to: "/projects/$projectId", params: { projectId: project.id } });
    },
  });

  return (
    <Dialog title={projectTexts.createTitle} size="lg" onClose={onClose}>
      <ApiFormView form={form} submitLabel={projectTexts.submit} onCancel={onClose}>
        <TextInput data-autofocus label={projectTexts.name} {...form.field("name", projectTexts.nameHelp)} />
        <Textarea
          autosize
          minRows={2}
          label={projectTexts.description}
          {...form.field("description", projectTexts.descriptionHelp)}
        />
        <Checkbox.Group label={projectTexts.platforms} {...form.field("platforms")}>
          <Group gap="lg" mt="xs">
            {PLATFORMS.map((platform) => (
              <Checkbox key={platform} value={platform} label={texts.ui.platforms[platform]} />
            ))}
          </Group>
        </Checkbox.Group>
        <TemplateChoice
          label={projectTexts.starter}
          projectName={form.fields.values.name}
          none={{ name: templateTexts.empty, text: templateTexts.emptyText }}
          {...form.field("template")}
        />
      </ApiFormView>
    </Dialog>
  );
}
