import { Checkbox, Group, Textarea, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import * as z from "zod/mini";
import { useInvalidate } from "@/api/useInvalidate";
import { createStarterFlow } from "@/features/flows/queries";
import { StarterChoice } from "@/features/flows/StarterChoice";
import { STARTERS } from "@/features/flows/starters";
import { texts } from "@/texts";
import { Dialog } from "@/ui/Dialog";
import { toast, toastError } from "@/ui/feedback";
import { ApiFormView } from "@/ui/form/ApiFormView";
import { useApiForm } from "@/ui/form/useApiForm";
import { PLATFORMS } from "./platforms";
import { createProject } from "./queries";

const schema = z.object({
  name: z
    .string()
    .check(z.trim(), z.minLength(3, texts.projects.nameLength), z.maxLength(50, texts.projects.nameLength)),
  description: z.string().check(z.trim(), z.maxLength(200, texts.projects.descriptionLength)),
  platforms: z.array(z.string()).check(z.minLength(1, texts.projects.platformsMissing)),
});

const INITIAL = {
  name: "",
  description: "",
  platforms: [...PLATFORMS] as ("ios" | "android")[],
  starter: STARTERS[0]?.id ?? "",
};

/** A dialog that creates a project, and a starter flow in it if one is chosen. */
export function CreateProject({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const invalidate = useInvalidate();
  const navigate = useNavigate();
  const form = useApiForm({
    name: "create-project",
    initialValues: INITIAL,
    schema,
    submit: async ({ name, description, platforms, starter }) => {
      const project = await createProject({
        name: name.trim(),
        description: description.trim() || null,
        platforms,
      });
      const chosen = STARTERS.find(({ id }) => id === starter);
      if (chosen) {
        // The project is new, so no device gets the flow before somebody has put the project's key into an app.
        const flow = { starter: chosen, status: "active", is_default: true } as const;
        await createStarterFlow(queryClient, project.id, flow).catch((error) =>
          toastError(error, texts.projects.starterFailed),
        );
      }
      await invalidate("projects");
      toast(texts.projects.createdToast(project.name));
      await navigate({ to: "/projects/$projectId", params: { projectId: project.id } });
    },
  });

  return (
    <Dialog title={texts.projects.createTitle} onClose={onClose}>
      <ApiFormView form={form} submitLabel={texts.projects.submit} onCancel={onClose}>
        <TextInput data-autofocus label={texts.projects.name} {...form.field("name", texts.projects.nameHelp)} />
        <Textarea
          autosize
          minRows={2}
          label={texts.projects.description}
          {...form.field("description", texts.projects.descriptionHelp)}
        />
        <Checkbox.Group label={texts.projects.platforms} {...form.field("platforms")}>
          <Group gap="lg" mt="xs">
            {PLATFORMS.map((platform) => (
              <Checkbox key={platform} value={platform} label={texts.projects[platform]} />
            ))}
          </Group>
        </Checkbox.Group>
        <StarterChoice
          label={texts.projects.starter}
          none={{ name: texts.starters.empty, text: texts.starters.emptyText }}
          {...form.field("starter")}
        />
      </ApiFormView>
    </Dialog>
  );
}
