import { Alert, Stack, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { texts } from "@/texts";
import { contrast, MIN_CONTRAST, standardColor } from "./contrast";
import { DEFAULTS, type ThemeValues } from "./style";

const words = texts.themes;

/** The contrast of each colour with the background, and a warning about those that are hard to read. */
export function Contrasts({ colors }: { colors: ThemeValues["colors"] }) {
  const background = colors.background || DEFAULTS.background;
  const ratios = (["text", "textSecondary", "primary"] as const).flatMap((name) => {
    const found = contrast(colors[name] || standardColor(name, colors), background);
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
