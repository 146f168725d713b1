import { TextInput } from "@mantine/core";
import { LIGHT } from "@onboarding/flow/theme";
import { useNavigate } from "@tanstack/react-router";
import * as z from "zod/mini";
import { useProjectId } from "@/api/projects";
import { createTheme } from "@/api/themes";
import { useInvalidate } from "@/api/useInvalidate";
import { Dialog } from "@/ui/feedback/Dialog";
import { ApiFormView } from "@/ui/form/ApiFormView";
import { useApiForm } from "@/ui/form/useApiForm";
import { themeTexts } from "./texts";

const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, themeTexts.nameLength), z.maxLength(50, themeTexts.nameLength)),
});

/** A dialog that creates a theme with the colours of hosted pages, and opens it. No flow has it yet. */
export function CreateTheme({ onClose }: { onClose: () => void }) {
  const projectId = useProjectId();
  const invalidate = useInvalidate();
  const navigate = useNavigate();
  const form = useApiForm({
    name: `create-theme:${projectId}`,
    initialValues: { name: "" },
    schema,
    submit: async ({ name }) => {
      const { primary, background, text } = LIGHT;
      const colors = { primary, background, text };
      const theme = await createTheme({ projectId, name: name.trim(), colors });
      await invalidate("theme");
      await navigate({ to: "/projects/$projectId/themes/$themeId", params: { projectId, themeId: theme.id } });
    },
  });
  return (
    <Dialog title={themeTexts.create} onClose={onClose}>
      <ApiFormView form={form} submitLabel={themeTexts.submit} onCancel={onClose}>
        <TextInput data-autofocus label={themeTexts.name} {...form.field("name", themeTexts.nameHelp)} />
      </ApiFormView>
    </Dialog>
  );
}
