import { Alert, Stack, Text } from "@mantine/core";
import { MIN_CONTRAST } from "@onboarding/flow/color";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useMediaFiles } from "@/features/media/useMediaFiles";
import { backgroundContrast, backgroundFiles, contrastsOf, type Palette } from "./contrast";
import type { ThemeDocument } from "./document";
import { themeTexts as words } from "./texts";

/** The contrast of each colour with the background, and a warning about those that are hard to read. */
export function Contrasts({ colors }: { colors: Palette }) {
  const ratios = contrastsOf(colors);
  const weak = ratios.filter(({ isWeak }) => isWeak);
  if (ratios.length === 0) {
    return null;
  }
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        {words.contrasts(ratios.map(({ label, ratio }) => `${label} ${ratio}`))}
      </Text>
      {weak.length > 0 && (
        <Alert color="yellow" variant="light" icon={<IconAlertTriangle size={18} />} title={words.contrastTitle}>
          {weak.map(({ label, ratio }) => (
            <Text key={label} size="sm">
              {words.contrast(label, ratio)}
            </Text>
          ))}
        </Alert>
      )}
    </Stack>
  );
}

/** A warning about a gradient or an image behind the texts on which they are hard to read. */
export function BackgroundContrast({ document }: { document: ThemeDocument }) {
  const ratio = backgroundContrast(document, useMediaFiles(backgroundFiles(document)));
  return (
    ratio !== null &&
    ratio < MIN_CONTRAST && (
      <Alert color="yellow" variant="light" icon={<IconAlertTriangle size={18} />} title={words.contrastTitle}>
        <Text size="sm">{words.backgroundContrast(ratio.toFixed(1))}</Text>
      </Alert>
    )
  );
}
