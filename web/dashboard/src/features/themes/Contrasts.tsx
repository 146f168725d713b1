import { Alert, Stack, Text } from "@mantine/core";
import { contrast, MIN_CONTRAST, parseColor } from "@onboarding/flow/color";
import { LIGHT, standardColor } from "@onboarding/flow/theme";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { ThemeValues } from "./style";
import { themeTexts } from "./texts";

const words = themeTexts;

/** The contrast of each colour with the background, and a warning about those that are hard to read. */
export function Contrasts({ colors }: { colors: ThemeValues["colors"] }) {
  const background = parseColor(colors.background || LIGHT.background);
  const ratios = (["text", "textSecondary", "primary"] as const).flatMap((name) => {
    const color = parseColor(colors[name] || standardColor(name, colors));
    const found = color && background ? contrast(color, background) : null;
    return found === null ? [] : [{ label: words.color[name], found, ratio: found.toFixed(1) }];
  });
  const weak = ratios.filter(({ found }) => found < MIN_CONTRAST);
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
