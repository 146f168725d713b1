import { Menu } from "@mantine/core";
import { IconArrowBackUp, IconPencil } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useCan, useProjectId } from "@/api/projects";
import { themeQuery } from "@/api/themes";
import { useInvalidate } from "@/api/useInvalidate";
import { historyTexts } from "@/features/history/texts";
import { versionColumns } from "@/features/history/versionColumns";
import { memberNamesQuery } from "@/features/members/queries";
import { toastError } from "@/ui/feedback/feedback";
import { lazyDialog } from "@/ui/feedback/lazyDialog";
import { useUndo } from "@/ui/feedback/useUndo";
import { ButtonLink } from "@/ui/links";
import { ListView } from "@/ui/table/ListView";
import { RowMenu } from "@/ui/table/RowMenu";
import { restoreThemeToDraft, themeVersionsQuery } from "./queries";
import { themeTexts } from "./texts";

const RestoreTheme = lazyDialog(async () => (await import("./RestoreTheme")).RestoreTheme);
const ThemeVersionDialog = lazyDialog(async () => (await import("./ThemeVersionDialog")).ThemeVersionDialog);

const route = getRouteApi("/projects/$projectId/themes/$themeId/history");
const words = historyTexts;

/** The versions of a theme with their changes and restoring. */
export function ThemeHistoryPage() {
  const { themeId } = route.useParams();
  const { page = 1 } = route.useSearch();
  const projectId = useProjectId();
  const canEdit = useCan("editor");
  const invalidate = useInvalidate();
  const offerUndo = useUndo("theme");
  const [opened, setOpened] = useState<number | null>(null);
  const [asked, setAsked] = useState<number | null>(null);
  const versions = useQuery(themeVersionsQuery(themeId, page));
  const members = useQuery({ ...memberNamesQuery(projectId), enabled: versions.isSuccess }).data;
  const theme = useQuery({ ...themeQuery(themeId), enabled: versions.isSuccess }).data?.data;
  // The draft is a click away from what it was, so there is nothing to ask.
  const toDraft = useMutation({
    mutationFn: (number: number) => restoreThemeToDraft(themeId, number),
    onSuccess: (undo, number) => offerUndo(words.restoredToDraft(number), undo),
    onError: (error) => toastError(error, words.restoreFailed),
    onSettled: () => invalidate("theme"),
  });
  const live = theme?.version ?? null;
  return (
    <>
      <ListView
        title={words.title}
        help={theme && themeTexts.historyText(theme.name)}
        action={
          <ButtonLink variant="default" to="/projects/$projectId/themes/$themeId" params={{ projectId, themeId }}>
            {themeTexts.toTheme}
          </ButtonLink>
        }
        query={versions}
        columns={versionColumns(live, members, setOpened)}
        rowKey={({ number }) => String(number)}
        menu={
          canEdit
            ? ({ number }) => (
                <RowMenu name={words.versionNumber(number)}>
                  <Menu.Item
                    leftSection={<IconArrowBackUp size={18} />}
                    disabled={number === live}
                    onClick={() => setAsked(number)}
                  >
                    {words.restore}
                  </Menu.Item>
                  <Menu.Item leftSection={<IconPencil size={18} />} onClick={() => toDraft.mutate(number)}>
                    {words.restoreToDraft}
                  </Menu.Item>
                </RowMenu>
              )
            : undefined
        }
      />
      {asked !== null && theme && <RestoreTheme theme={theme} number={asked} onClose={() => setAsked(null)} />}
      {opened !== null && theme && <ThemeVersionDialog theme={theme} number={opened} onClose={() => setOpened(null)} />}
    </>
  );
}
