import { Select, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ThemeView } from "@/api/schema";
import { historyTexts as words } from "@/features/history/texts";
import { Dialog } from "@/ui/feedback/Dialog";
import { QueryView, TextSkeleton } from "@/ui/states";
import { changesInWords } from "./changes";
import { EMPTY_DOCUMENT } from "./document";
import { themeVersionQuery } from "./queries";
import { SAMPLE_FLOW } from "./sampleFlow";
import { Changes } from "./ThemeConflict";
import { ScreenRow } from "./ThemeScreens";
import { themeTexts } from "./texts";

const MAX_CHOICES = 100;

interface ThemeVersionDialogProps {
  theme: ThemeView;
  number: number;
  onClose: () => void;
}

/** A dialog with a version of a theme beside another one: as screens, and in words. */
export function ThemeVersionDialog({ theme, number, onClose }: ThemeVersionDialogProps) {
  const [against, setAgainst] = useState(number - 1);
  const version = useQuery(themeVersionQuery(theme.id, number));
  const other = useQuery(themeVersionQuery(theme.id, against));
  const newest = theme.version ?? number;
  const choices = Array.from({ length: Math.min(newest + 1, MAX_CHOICES) }, (_, place) => newest - place);
  const before = against === 0 ? EMPTY_DOCUMENT : other.data?.data.document;
  return (
    <Dialog title={words.versionNumber(number)} size="xl" onClose={onClose}>
      <Stack>
        <Select
          label={words.comparedWith}
          data={choices
            .filter((choice) => choice !== number)
            .map((choice) => ({
              value: String(choice),
              label: choice === 0 ? themeTexts.emptyTheme : words.versionNumber(choice),
            }))}
          allowDeselect={false}
          searchable
          value={String(against)}
          onChange={(value) => setAgainst(Number(value))}
        />
        <QueryView query={version} skeleton={<TextSkeleton lines={5} />}>
          {({ data: { note, document } }) => (
            <>
              {note && <Text c="dimmed">{note}</Text>}
              {other.isError && against > 0 && <Text c="dimmed">{themeTexts.versionGone}</Text>}
              {before && <Changes changes={changesInWords(before, document)} />}
              {before && (
                <Side label={against === 0 ? themeTexts.emptyTheme : words.versionNumber(against)}>
                  <ScreenRow theme={theme} document={before} screens={SAMPLE_FLOW.screens} dark={false} />
                </Side>
              )}
              <Side label={words.versionNumber(number)}>
                <ScreenRow theme={theme} document={document} screens={SAMPLE_FLOW.screens} dark={false} />
              </Side>
            </>
          )}
        </QueryView>
      </Stack>
    </Dialog>
  );
}

function Side({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <Stack gap={4}>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      {children}
    </Stack>
  );
}
