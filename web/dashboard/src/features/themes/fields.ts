import { valueAt } from "./document";
import { themeTexts } from "./texts";

const words = themeTexts;

/** A member of a theme as a field of its form, and as a row of its changes. */
export interface ThemeField {
  /** Its place in the document: `typography.sizes.heading`. */
  path: string;
  label: string;
  kind: "choice" | "switch" | "number" | "text" | "color" | "background" | "logo" | "font";
  help?: string;
  /** What pages take without a value. */
  standard?: string;
  options?: readonly { value: string; label: string }[];
  min?: number;
  max?: number;
  step?: number;
}

interface Group {
  title: string;
  fields: readonly ThemeField[];
}

/** The colours that hosted pages read; a theme may have others for apps. */
export const COLORS = ["primary", "background", "text", "textSecondary", "surface", "secondary", "danger"] as const;
export type ColorName = (typeof COLORS)[number];

function choice(path: string, label: string, options: Record<string, string>, standard: string): ThemeField {
  const entries = Object.entries(options).map(([value, text]) => ({ value, label: text }));
  return { path, label, kind: "choice", options: entries, standard };
}

function number(path: string, label: string, min: number, max: number, standard: string, step = 1): ThemeField {
  return { path, label, kind: "number", min, max, step, standard };
}

/** The fields of a palette: the colours of a theme, or those of dark devices. */
export function paletteFields(isDark: boolean): readonly ThemeField[] {
  return COLORS.map((name) => ({
    path: isDark ? `colors.dark.${name}` : `colors.${name}`,
    label: isDark ? words.darkColor(words.color[name]) : words.color[name],
    kind: "color",
  }));
}

export const APPEARANCE = choice("appearance", words.appearance, words.appearances, "auto");
export const BACKGROUND: ThemeField = { path: "background", label: words.pageBackground, kind: "background" };
export const LOGO: ThemeField = { path: "logo", label: words.logo, kind: "logo", help: words.logoHelp };

export const FONTS: Group = {
  title: words.typography,
  fields: [
    { path: "typography.fontMediaId", label: words.fontFile, kind: "font" },
    { path: "typography.headingFontMediaId", label: words.headingFontFile, kind: "font" },
    {
      path: "typography.fontFamily",
      label: words.fontFamily,
      kind: "text",
      help: words.fontHelp,
      standard: "system-ui",
    },
    {
      path: "typography.headingFontFamily",
      label: words.headingFontFamily,
      kind: "text",
      help: words.headingFontHelp,
    },
    number("typography.sizes.heading", words.headingSize, 20, 44, "28"),
    number("typography.sizes.body", words.bodySize, 15, 22, "17"),
    number("typography.weights.heading", words.headingWeight, 100, 900, "700", 100),
    number("typography.weights.body", words.bodyWeight, 100, 900, "400", 100),
    number("typography.letterSpacing", words.letterSpacing, -0.05, 0.1, "0", 0.01),
    choice("typography.align", words.align, words.aligns, "start"),
  ],
};

export const BUTTONS: Group = {
  title: words.buttons,
  fields: [
    choice("button.style", words.buttonStyle, words.buttonStyles, "filled"),
    choice("button.shape", words.buttonShape, words.buttonShapes, "rounded"),
    number("button.height", words.buttonHeight, 44, 64, "52"),
    { path: "button.shadow", label: words.buttonShadow, kind: "switch" },
  ],
};

export const CORNERS: Group = {
  title: words.corners,
  fields: [
    number("borderRadius.button", words.radius.button, 0, 32, "14"),
    number("borderRadius.card", words.radius.card, 0, 32, "16"),
    number("borderRadius.input", words.radius.input, 0, 32, "14"),
  ],
};

export const SCREENS: Group = {
  title: words.screens,
  fields: [
    choice("choice", words.choice, words.choices, "card"),
    choice("progress", words.progress, words.progresses, "bar"),
    choice("transition", words.transition, words.transitions, "slide"),
    choice("spacing", words.spacing, words.spacings, "regular"),
  ],
};

/** The places of some fields, where the first one with a value counts (web/flow/src/theme.ts). */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  "colors.danger": ["colors.danger", "colors.error"],
  "typography.fontFamily": ["typography.fontFamily", "typography.body.fontFamily"],
  "typography.headingFontFamily": ["typography.headingFontFamily", "typography.headline.fontFamily"],
  "typography.sizes.heading": ["typography.headline.fontSize", "typography.sizes.headline", "typography.sizes.heading"],
  "typography.sizes.body": ["typography.body.fontSize", "typography.sizes.body"],
};

/** Return the place at which a document has the value of a field. */
export function placeOf(document: object, { path }: Pick<ThemeField, "path">): string {
  return PLACES[path]?.find((place) => (valueAt(document, place) ?? "") !== "") ?? path;
}

/** All fields in the order of the form. */
export const FIELDS: readonly ThemeField[] = [
  ...paletteFields(false),
  ...paletteFields(true),
  APPEARANCE,
  BACKGROUND,
  LOGO,
  ...[FONTS, BUTTONS, CORNERS, SCREENS].flatMap(({ fields }) => fields),
];
