import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useProjectId } from "@/api/projects";
import { themeQuery } from "@/api/themes";
import { VersionList } from "@/features/history/VersionList";
import { lazyDialog } from "@/ui/feedback/lazyDialog";
import { ButtonLink } from "@/ui/links";
import { restoreThemeToDraft, themeVersionsQuery } from "./queries";
import { themeTexts } from "./texts";

const RestoreTheme = lazyDialog(async () => (await import("./RestoreTheme")).RestoreTheme);
const ThemeVersionDialog = lazyDialog(async () => (await import("./ThemeVersionDialog")).ThemeVersionDialog);

const route = getRouteApi("/projects/$projectId/themes/$themeId/history");

/** The versions of a theme with their changes and restoring. */
export function ThemeHistoryPage() {
  const { themeId } = route.useParams();
  const { page = 1 } = route.useSearch();
  const projectId = useProjectId();
  const versions = useQuery(themeVersionsQuery(themeId, page));
  const theme = useQuery({ ...themeQuery(themeId), enabled: versions.isSuccess }).data?.data;
  const live = theme?.version ?? null;
  return (
    <VersionList
      of="theme"
      versions={versions}
      live={live}
      newest={live}
      help={theme && themeTexts.historyText(theme.name)}
      action={
        <ButtonLink variant="default" to="/projects/$projectId/themes/$themeId" params={{ projectId, themeId }}>
          {themeTexts.toTheme}
        </ButtonLink>
      }
      restoreToDraft={(number) => restoreThemeToDraft(themeId, number)}
      restoring={(number, close) => theme && <RestoreTheme theme={theme} number={number} onClose={close} />}
      showing={(number, close) => theme && <ThemeVersionDialog theme={theme} number={number} onClose={close} />}
    />
  );
}
