import { Alert, Button, Checkbox, List, Stack, Switch, Text, Textarea, Title } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ALL_THEMES, themesQuery } from "@/api/themes";
import { useInvalidate } from "@/api/useInvalidate";
import { LiveFacts } from "@/features/audience/LiveFacts";
import { useMediaFiles } from "@/features/media/useMediaFiles";
import { PublishFoot } from "@/features/publishing/PublishFoot";
import { texts } from "@/texts";
import { Dialog } from "@/ui/feedback/Dialog";
import { useUndo } from "@/ui/feedback/useUndo";
import { dropUnsavedWork, useKeptText } from "@/ui/form/unsavedWork";
import { changesInWords } from "./changes";
import { backgroundFiles, weakContrasts } from "./contrast";
import { documentOf } from "./document";
import { publishTheme, setDefault, unpublishTheme } from "./queries";
import { SAMPLE_FLOW } from "./sampleFlow";
import { Changes } from "./ThemeConflict";
import type { ThemeStore } from "./ThemeEditor";
import { ScreenRow } from "./ThemeScreens";
import { themeTexts as words } from "./texts";
import { useShownBy } from "./useShownBy";

/**
 * A dialog that publishes the draft of a theme: its changes in words and as screens, who gets it, a note. The first theme
 * of a project becomes the default one with its publication.
 */
export function PublishTheme({ store, onClose }: { store: ThemeStore; onClose: () => void }) {
  const { theme, document, etag, baseVersion, liveVersion } = store.stored;
  const invalidate = useInvalidate();
  const offerUndo = useUndo("theme");
  const themes = useQuery({ ...themesQuery(theme.project_id, ALL_THEMES), staleTime: 0 });
  const former = themes.data?.items.find(({ is_default }) => is_default);
  const [chosen, setChosen] = useState<boolean>();
  const keptNote = `publish:${theme.id}`;
  const [note, setNote] = useKeptText(keptNote);
  const [ignoring, setIgnoring] = useState(false);
  const isDefault = chosen ?? (theme.is_default || (themes.isSuccess && former === undefined));
  const shownBy = useShownBy(theme, isDefault);
  const live = documentOf(theme);
  const changes = changesInWords(live, document);
  const warnings = weakContrasts(document, useMediaFiles(backgroundFiles(document)));
  const isStale = liveVersion > baseVersion;

  const send = useMutation({
    mutationFn: async () => {
      const version = await publishTheme(theme.id, { note: note.trim() || null, ignore_warnings: ignoring }, etag);
      const becomesDefault = isDefault && !theme.is_default;
      if (becomesDefault) {
        await setDefault(theme.id, true);
      }
      const takeBack = async () => {
        if (becomesDefault) {
          await (former ? setDefault(former.id, true) : setDefault(theme.id, false));
        }
        await unpublishTheme(theme.id, version);
      };
      const { number } = version.data;
      offerUndo(words.published(number), takeBack, words.unpublished(number - 1));
      await store.refresh();
      onClose();
    },
    onSuccess: () => dropUnsavedWork(keptNote),
    onError: () => store.refresh(),
    onSettled: () => void invalidate("theme"),
  });
  const rebase = useMutation({ mutationFn: () => store.rebase(liveVersion) });
  const reasons = [
    changes.length === 0 && words.nothingToPublish,
    isStale && words.isStale,
    warnings.length > 0 && !ignoring && words.warningsOpen,
  ];
  const reason = reasons.find((entry) => entry !== false);

  return (
    <Dialog title={words.publishTitle(document.name)} size="xl" onClose={onClose}>
      <Stack gap="md">
        <Title order={3}>{words.changes}</Title>
        <Changes changes={changes} />
        {[
          { label: words.before, shown: live },
          { label: words.after, shown: document },
        ].map(({ label, shown }) => (
          <Stack key={label} gap={4}>
            <Text size="xs" c="dimmed">
              {label}
            </Text>
            <ScreenRow theme={theme} document={shown} screens={SAMPLE_FLOW.screens} dark={false} />
          </Stack>
        ))}
        {isStale && (
          <Alert color="yellow" title={words.isStale} icon={<IconAlertTriangle />}>
            <Button size="xs" variant="default" loading={rebase.isPending} onClick={() => rebase.mutate()}>
              {words.rebase(liveVersion)}
            </Button>
          </Alert>
        )}
        {warnings.length > 0 && (
          <Alert color="yellow" title={words.warnings} icon={<IconAlertTriangle />}>
            <List size="sm">
              {warnings.map((warning) => (
                <List.Item key={warning}>{warning}</List.Item>
              ))}
            </List>
            <Checkbox
              mt="sm"
              label={words.ignoreWarnings}
              checked={ignoring}
              onChange={(event) => setIgnoring(event.currentTarget.checked)}
            />
          </Alert>
        )}
        <Switch
          label={words.becomesDefault}
          description={words.makeDefaultHelp}
          disabled={theme.is_default || !themes.isSuccess}
          checked={isDefault}
          onChange={(event) => setChosen(event.currentTarget.checked)}
        />
        <Textarea
          label={words.note}
          description={words.noteHelp}
          maxLength={500}
          autosize
          minRows={2}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
        <LiveFacts projectId={theme.project_id} who={shownBy?.who ?? texts.ui.loading} flow={shownBy?.flow} />
        <PublishFoot
          send={send}
          hasChanged={words.hasChanged}
          reason={reason}
          isReady={themes.isSuccess}
          submit={words.submitPublish(liveVersion + 1)}
          onClose={onClose}
        />
      </Stack>
    </Dialog>
  );
}
