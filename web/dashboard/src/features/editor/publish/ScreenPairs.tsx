import { Group, Stack, Text } from "@mantine/core";
import type { ChangeView } from "@/api/schema";
import { editorTexts } from "@/features/editor/texts";
import { Thumbnail } from "@/features/preview/Thumbnail";
import { type FlowDocument, screenName } from "../document";
import { usePreviewed } from "../preview/usePreviewed";

const words = editorTexts.changes;
const WIDTH = 180;

interface ScreenPairsProps {
  flowId: string;
  before: FlowDocument;
  after: FlowDocument;
  changes: readonly ChangeView[];
}

/** The changed screens of two documents as phones side by side. */
export function ScreenPairs({ flowId, before, after, changes }: ScreenPairsProps) {
  const sides = [
    { label: words.before, screens: before.screens, previewed: usePreviewed(flowId, before.theme_id) },
    { label: words.after, screens: after.screens, previewed: usePreviewed(flowId, after.theme_id) },
  ];
  const changed = new Set(changes.map(({ path }) => path.split("/")).map(([, kind, id]) => kind === "screens" && id));
  const screens = [
    ...after.screens,
    ...before.screens.filter(({ id }) => !after.screens.some((kept) => kept.id === id)),
  ];
  return (
    <Stack>
      {screens
        .filter(({ id }) => changed.has(id))
        .map((screen) => (
          <Stack key={screen.id} gap="xs" role="group" aria-label={screenName(screen)}>
            <Text size="sm" fw={550}>
              {screenName(screen)}
            </Text>
            <Group gap="lg" align="flex-start">
              {sides.map((side) => {
                const shown = side.screens.find(({ id }) => id === screen.id);
                return (
                  <Stack key={side.label} gap={4} w={WIDTH}>
                    <Text size="xs" c="dimmed">
                      {shown ? side.label : words.absent(side.label)}
                    </Text>
                    {shown && <Thumbnail flow={side.previewed} screen={shown} width={WIDTH} />}
                  </Stack>
                );
              })}
            </Group>
          </Stack>
        ))}
    </Stack>
  );
}
