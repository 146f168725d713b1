import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useCan, useIsRoleKnown, useProjectId } from "@/api/projects";
import type { ThemeView } from "@/api/schema";
import { deleteTheme, themeQuery } from "@/api/themes";
import { useInvalidate } from "@/api/useInvalidate";
import { flowsQuery } from "@/features/flows/queries";
import { texts } from "@/texts";
import { Confirm } from "@/ui/feedback/Confirm";
import { toast } from "@/ui/feedback/feedback";
import { PageHeader } from "@/ui/PageHeader";
import { NotFoundState, QueryView, TextSkeleton } from "@/ui/states";
import { ThemeForm } from "./ThemeForm";
import { ThemeSummary } from "./ThemeSummary";
import { themeTexts } from "./texts";

const route = getRouteApi("/projects/$projectId/themes/$themeId");

/** One theme: its form for editors, its preview for viewers. */
export function ThemePage() {
  const { projectId, themeId } = route.useParams();
  const theme = useQuery(themeQuery(themeId));
  const canEdit = useCan("editor");
  const isRoleKnown = useIsRoleKnown();
  const [deleting, { open, close }] = useDisclosure();
  // A saved form starts again from the theme as it is now.
  const [saves, setSaves] = useState(0);
  return (
    <QueryView query={theme} isPage skeleton={<TextSkeleton lines={8} />}>
      {(tagged) =>
        tagged.data.project_id !== projectId ? (
          <NotFoundState titleOrder={1} />
        ) : (
          <>
            <PageHeader
              title={tagged.data.name}
              text={canEdit ? themeTexts.live : (tagged.data.description ?? undefined)}
              actions={
                canEdit && (
                  <Button variant="default" onClick={open}>
                    {themeTexts.delete}
                  </Button>
                )
              }
            />
            {canEdit ? (
              <ThemeForm key={saves} theme={tagged} onSaved={() => setSaves((count) => count + 1)} />
            ) : isRoleKnown ? (
              <ThemeSummary theme={tagged.data} />
            ) : (
              <TextSkeleton lines={8} />
            )}
            {deleting && <DeleteTheme theme={tagged.data} onClose={close} />}
          </>
        )
      }
    </QueryView>
  );
}

/** The question before a theme is deleted, with the flows that lose it. */
function DeleteTheme({ theme, onClose }: { theme: ThemeView; onClose: () => void }) {
  const projectId = useProjectId();
  const navigate = route.useNavigate();
  const invalidate = useInvalidate();
  const flows = useQuery(flowsQuery(projectId, {})).data?.items;
  const names = flows?.filter(({ theme_id }) => theme_id === theme.id).map(({ name }) => name) ?? [];
  async function remove() {
    await deleteTheme(theme.id);
    await navigate({ to: "/projects/$projectId/themes", params: { projectId } });
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
