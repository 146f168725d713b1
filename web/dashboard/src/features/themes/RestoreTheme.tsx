import { useQuery } from "@tanstack/react-query";
import type { ThemeView } from "@/api/schema";
import { useInvalidate } from "@/api/useInvalidate";
import { WhatUsersGet } from "@/features/audience/WhatUsersGet";
import { historyTexts as words } from "@/features/history/texts";
import { texts } from "@/texts";
import { useUndo } from "@/ui/feedback/useUndo";
import { QueryView, TextSkeleton } from "@/ui/states";
import { changesInWords } from "./changes";
import { documentOf } from "./document";
import { restoreTheme, themeVersionQuery } from "./queries";
import { Changes } from "./ThemeConflict";
import { themeTexts } from "./texts";
import { useShownBy } from "./useShownBy";

interface RestoreThemeProps {
  theme: ThemeView;
  number: number;
  onClose: () => void;
}

/** The question before a version of a theme is live again, with its difference to the live version. */
export function RestoreTheme({ theme, number, onClose }: RestoreThemeProps) {
  const invalidate = useInvalidate();
  const offerUndo = useUndo("theme");
  const live = useQuery(themeVersionQuery(theme.id, theme.version ?? 1));
  const version = useQuery(themeVersionQuery(theme.id, number));
  const shownBy = useShownBy(theme, theme.is_default);
  async function confirm() {
    try {
      const { data, etag } = await restoreTheme(theme.id, number, live.data?.etag ?? null);
      // The numbers of versions have no gaps.
      const former = data.number - 1;
      offerUndo(words.restored(number), () => restoreTheme(theme.id, former, etag), words.takenBack(former));
    } finally {
      await invalidate("theme");
    }
  }
  return (
    <WhatUsersGet
      projectId={theme.project_id}
      title={themeTexts.restoreTitle(number)}
      action={words.restore}
      who={shownBy?.who ?? texts.ui.loading}
      flow={shownBy?.flow}
      isReady={version.isSuccess && live.isSuccess && shownBy !== null}
      onConfirm={confirm}
      onClose={onClose}
    >
      <QueryView query={version} skeleton={<TextSkeleton lines={3} />}>
        {({ data: { document } }) => <Changes changes={changesInWords(documentOf(theme), document)} />}
      </QueryView>
    </WhatUsersGet>
  );
}
