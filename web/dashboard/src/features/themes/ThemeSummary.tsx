import { ColorSwatch, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import type { ThemeView } from "@/api/schema";
import { Contrasts } from "./Contrasts";
import { COLORS, RADII, valuesOf } from "./style";
import { ThemePreview } from "./ThemePreview";
import { themeTexts } from "./texts";

const words = themeTexts;

/** A theme for members who cannot change it: its values, and its preview beside them. */
export function ThemeSummary({ theme }: { theme: ThemeView }) {
  const values = valuesOf(theme);
  const rows = [
    [words.fontFamily, values.fontFamily],
    [words.headingSize, values.headingSize],
    [words.bodySize, values.bodySize],
    ...RADII.map((radius) => [`${words.corners}: ${words.radius[radius]}`, values.radius[radius]] as const),
  ] as const;
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
      <Stack component="dl" gap="md" m={0}>
        {COLORS.map((color) => (
          <Value key={color} label={words.color[color]}>
            <Group component="span" gap="xs">
              {values.colors[color] && <ColorSwatch component="span" size={16} color={values.colors[color]} />}
              {values.colors[color] || words.standard}
            </Group>
          </Value>
        ))}
        {rows.map(([label, value]) => (
          <Value key={label} label={label}>
            {value === "" ? words.standard : value}
          </Value>
        ))}
        <Value label={words.contrastLabel}>
          <Contrasts colors={values.colors} />
        </Value>
      </Stack>
      <ThemePreview theme={theme} values={values} />
    </SimpleGrid>
  );
}

function Value({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {label}
      </Text>
      <dd style={{ margin: 0 }}>{children}</dd>
    </div>
  );
}
