import { ColorSwatch, Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { ThemeView } from "@/api/schema";
import { Contrasts } from "./Contrasts";
import { valueInWords } from "./changes";
import { paletteOf } from "./contrast";
import { documentOf, valueAt } from "./document";
import { FIELDS, placeOf } from "./fields";
import { ThemeScreens } from "./ThemeScreens";
import classes from "./ThemeScreens.module.css";
import { themeTexts as words } from "./texts";

/** A theme for members who cannot change it: its values, and screens in its look beside them. */
export function ThemeSummary({ theme }: { theme: ThemeView }) {
  const document = documentOf(theme);
  const set = FIELDS.map((field) => ({ field, value: valueAt(document, placeOf(document, field)) })).filter(
    ({ value }) => value !== undefined && value !== null && value !== "",
  );
  return (
    <div className={classes.editor}>
      <Stack component="dl" gap="md" m={0}>
        {set.map(({ field, value }) => (
          <Value key={field.path} label={field.label}>
            {field.kind === "color" ? (
              <Group component="span" gap="xs">
                <ColorSwatch component="span" size={16} color={String(value)} />
                {String(value)}
              </Group>
            ) : (
              valueInWords(field, value)
            )}
          </Value>
        ))}
        <Value label={words.contrastLabel}>
          <Contrasts colors={paletteOf(document, false)} />
        </Value>
      </Stack>
      <ThemeScreens theme={theme} document={document} />
    </div>
  );
}

function Value({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {label}
      </Text>
      <dd style={{ margin: 0 }}>{children}</dd>
    </div>
  );
}
