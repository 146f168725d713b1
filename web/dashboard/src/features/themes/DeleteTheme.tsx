import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ThemeView } from "@/api/schema";
import { deleteTheme } from "@/api/themes";
import { useInvalidate } from "@/api/useInvalidate";
import { flowsQuery } from "@/features/flows/queries";
import { texts } from "@/texts";
import { Confirm } from "@/ui/feedback/Confirm";
import { toast } from "@/ui/feedback/feedback";
import { themeTexts } from "./texts";

/** The question before a theme is deleted, with the flows that lose it. */
export function DeleteTheme({ theme, onClose }: { theme: ThemeView; onClose: () => void }) {
  const navigate = useNavigate();
  const invalidate = useInvalidate();
  const flows = useQuery(flowsQuery(theme.project_id, {})).data?.items;
  const names = flows?.filter(({ theme_id }) => theme_id === theme.id).map(({ name }) => name) ?? [];
  async function remove() {
    await deleteTheme(theme.id);
    await navigate({ to: "/projects/$projectId/themes", params: { projectId: theme.project_id } });
    await invalidate("theme");
    toast(themeTexts.deleted(theme.name));
  }
  return (
    <Confirm
      title={themeTexts.deleteTitle(theme.name)}
      text={flows === undefined ? texts.ui.loading : themeTexts.deleteText(names, theme.is_default)}
      phrase={theme.name}
      action={themeTexts.delete}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
