import { useQuery } from "@tanstack/react-query";
import type { ThemeView } from "@/api/schema";
import { ALL_THEMES, themesQuery } from "@/api/themes";
import { useInvalidate } from "@/api/useInvalidate";
import { WhatUsersGet } from "@/features/audience/WhatUsersGet";
import { texts } from "@/texts";
import { useUndo } from "@/ui/feedback/useUndo";
import { setDefault } from "./queries";
import { themeTexts as words } from "./texts";
import { useShownBy } from "./useShownBy";

/** The question before a theme becomes the default one. */
export function MakeDefault({ theme, onClose }: { theme: ThemeView; onClose: () => void }) {
  const invalidate = useInvalidate();
  const offerUndo = useUndo("theme");
  const themes = useQuery({ ...themesQuery(theme.project_id, ALL_THEMES), staleTime: 0 });
  const former = themes.data?.items.find(({ is_default }) => is_default);
  const shownBy = useShownBy(theme, true);
  async function confirm() {
    try {
      await setDefault(theme.id, true);
      offerUndo(words.isDefaultNow(theme.name), () =>
        former ? setDefault(former.id, true) : setDefault(theme.id, false),
      );
    } finally {
      await invalidate("theme");
    }
  }
  return (
    <WhatUsersGet
      projectId={theme.project_id}
      title={words.defaultTitle(theme.name)}
      action={words.setDefault}
      who={shownBy?.who ?? texts.ui.loading}
      flow={shownBy?.flow}
      isReady={shownBy !== null && themes.isSuccess}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
