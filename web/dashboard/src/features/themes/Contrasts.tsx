import { Alert, Stack, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { contrastsOf, type Palette } from "./contrast";
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
