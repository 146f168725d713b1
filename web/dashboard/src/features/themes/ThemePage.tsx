import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useCan, useIsRoleKnown } from "@/api/projects";
import { PageHeader } from "@/ui/PageHeader";
import { NotFoundState, QueryView, TextSkeleton } from "@/ui/states";
import { themeStoreQuery } from "./queries";
import { ThemeEditor } from "./ThemeEditor";
import { ThemeSummary } from "./ThemeSummary";

const route = getRouteApi("/projects/$projectId/themes/$themeId/");

/** One theme: the form of its draft for editors, its live values for viewers. */
export function ThemePage() {
  const { projectId, themeId } = route.useParams();
  const store = useQuery(themeStoreQuery(projectId, themeId));
  const canEdit = useCan("editor");
  const isRoleKnown = useIsRoleKnown();
  return (
    <QueryView query={store} isPage skeleton={<TextSkeleton lines={8} />}>
      {(found) => {
        const { theme } = found.stored;
        if (theme.project_id !== projectId) {
          return <NotFoundState titleOrder={1} />;
        }
        if (canEdit) {
          return <ThemeEditor store={found} />;
        }
        return (
          <>
            <PageHeader title={theme.name} text={theme.description ?? undefined} />
            {isRoleKnown ? <ThemeSummary theme={theme} /> : <TextSkeleton lines={8} />}
          </>
        );
      }}
    </QueryView>
  );
}
