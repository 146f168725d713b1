import type { ThemeUpdateBody, ThemeView } from "@/api/schema";

/** The colours that hosted pages read; a theme may have others for apps. */
export const COLORS = ["primary", "background", "text", "textSecondary", "surface"] as const;
export const RADII = ["button", "card", "input"] as const;
/** What hosted pages take where a theme has no size of a corner. */
export const RADIUS_DEFAULTS = { button: "14", card: "16", input: "14" };

export interface ThemeValues extends Record<string, unknown> {
  name: string;
  description: string;
  is_default: boolean;
  colors: Record<(typeof COLORS)[number], string>;
  fontFamily: string;
  headingSize: number | string;
  bodySize: number | string;
  radius: Record<(typeof RADII)[number], number | string>;
}

type Json = Record<string, unknown>;

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Json)[name] : undefined;
}

/** Return a size as a number: 16, "16" and "16px" are one; empty without one. */
function size(value: unknown): number | "" {
  const number = Number.parseFloat(String(value));
  return Number.isFinite(number) ? number : "";
}

/** The values of the form; members that a theme lacks are empty. */
export function valuesOf(theme: ThemeView): ThemeValues {
  const { colors, typography, borderRadius } = theme;
  return {
    name: theme.name,
    description: theme.description ?? "",
    is_default: theme.is_default,
    colors: Object.fromEntries(COLORS.map((name) => [name, colors[name] ?? ""])) as ThemeValues["colors"],
    fontFamily: String(typography.fontFamily ?? ""),
    headingSize: size(member(typography.sizes, "heading")),
    bodySize: size(member(typography.sizes, "body")),
    radius: Object.fromEntries(RADII.map((name) => [name, size(borderRadius[name])])) as ThemeValues["radius"],
  };
}

/** Return members with changes; an empty one is left out. Members that the form does not have stay. */
function merged(members: Json, changes: Json): Json {
  return Object.fromEntries(Object.entries({ ...members, ...changes }).filter(([, value]) => value !== ""));
}

/** The members of a theme that its form changes. */
type ThemeBody = ThemeUpdateBody & Required<Pick<ThemeUpdateBody, "colors" | "typography" | "borderRadius">>;

/** Return the body of the change of a theme. */
export function bodyOf(theme: ThemeView, values: ThemeValues): ThemeBody {
  const sizes = merged((theme.typography.sizes ?? {}) as Json, { heading: values.headingSize, body: values.bodySize });
  const { sizes: _, ...typography } = merged(theme.typography, { fontFamily: values.fontFamily.trim() });
  return {
    name: values.name.trim(),
    description: values.description.trim() || null,
    is_default: values.is_default,
    colors: merged(theme.colors, values.colors) as ThemeBody["colors"],
    typography: (Object.keys(sizes).length > 0 ? { ...typography, sizes } : typography) as ThemeBody["typography"],
    borderRadius: merged(theme.borderRadius, values.radius),
  };
}
