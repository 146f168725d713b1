import { Text } from "@mantine/core";
import { texts } from "@/texts";
import { labelColor } from "./contrast";
import { DEFAULTS, type ThemeValues } from "./style";

/** A screen in the colours, letters and corners of a theme, as they are typed. */
export function ThemePreview({ values }: { values: ThemeValues }) {
  const color = (name: keyof typeof DEFAULTS) => values.colors[name] || DEFAULTS[name];
  const pixels = (size: number | string, otherwise: number) => Number(size) || (size === 0 ? 0 : otherwise);
  const button = { borderRadius: pixels(values.radius.button, 12), height: 52 };
  return (
    <figure aria-label={texts.themes.preview} style={{ margin: 0 }}>
      <div
        // The colours are the user's own: the editor warns where they are hard to read.
        aria-hidden
        style={{
          display: "flex",
          flexDirection: "column",
          gap: 16,
          minHeight: 520,
          padding: "48px 24px 24px",
          border: "1px solid var(--app-border)",
          borderRadius: 32,
          background: color("background"),
          color: color("text"),
          fontFamily: values.fontFamily ? `${values.fontFamily}, system-ui, sans-serif` : "system-ui, sans-serif",
          fontSize: pixels(values.bodySize, 17),
          lineHeight: 1.4,
        }}
      >
        <div style={{ fontSize: pixels(values.headingSize, 28), fontWeight: 700, lineHeight: 1.2 }}>
          {texts.themes.previewTitle}
        </div>
        <div style={{ color: color("textSecondary") }}>{texts.themes.previewText}</div>
        <div
          style={{
            padding: 16,
            background: color("surface"),
            border: `2px solid ${color("primary")}`,
            borderRadius: pixels(values.radius.card, 12),
          }}
        >
          {texts.themes.previewChoice}
        </div>
        <div
          style={{
            padding: "12px 16px",
            border: "1px solid currentColor",
            borderRadius: pixels(values.radius.input, 12),
          }}
        >
          {texts.themes.previewField}
        </div>
        <div
          style={{
            ...button,
            display: "grid",
            placeItems: "center",
            marginTop: "auto",
            background: color("primary"),
            color: labelColor(color("primary")),
            fontWeight: 600,
          }}
        >
          {texts.themes.previewButton}
        </div>
      </div>
      <Text component="figcaption" size="xs" c="dimmed" mt="xs" ta="center">
        {texts.themes.previewCaption}
      </Text>
    </figure>
  );
}
