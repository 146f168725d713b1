/** The fonts of a theme that are media files, and stand-ins of the same size until they have arrived. */

import { type Json, list, number, object, text } from "@onboarding/flow/json";
import { FONT_NAMES } from "@onboarding/flow/theme";

/** Fonts with the metrics of Arial. Each system has one. */
const STAND_INS = ["Arial", "Helvetica Neue", "Helvetica", "Roboto", "Liberation Sans"];

const MAX_WAIT_MS = 150;

/** The rules that the page has at the end of its style sheet. */
let added: string[] = [];

/**
 * Add the fonts of a theme to the style sheet of the page. The policy of pages forbids style elements. Wait for them, as
 * they are preloaded, for a moment at most: a later font moves texts.
 */
export async function addFonts({ typography }: Json): Promise<void> {
  const fonts = object(typography);
  const rules = Object.entries(FONT_NAMES).flatMap(([member, name]) => rulesOf(name, object(fonts[member])));
  const sheet = document.styleSheets[0];
  if (!sheet || rules.join() === added.join()) {
    return;
  }
  // The preview gets another theme.
  for (const _ of added) {
    sheet.deleteRule(sheet.cssRules.length - 1);
  }
  for (const rule of rules) {
    sheet.insertRule(rule, sheet.cssRules.length);
  }
  added = rules;
  if (added.length > 0 && "fonts" in document) {
    const loads = Object.values(FONT_NAMES).map((name) => document.fonts.load(`1em ${name}`).catch(() => []));
    await Promise.race([Promise.all(loads), new Promise((resolve) => window.setTimeout(resolve, MAX_WAIT_MS))]);
  }
}

/** Return the rules of a font, and of its stand-in where its metrics are known. */
export function rulesOf(name: string, font: Json): string[] {
  const url = text(font.url);
  const { ascent, descent, line_gap, size, weights } = object(font.metrics);
  const percent = (value: unknown) => `${((number(value) ?? 0) * 100).toFixed(2)}%`;
  const range = list(weights).map((weight) => number(weight) ?? 400);
  const own = `src:url(${JSON.stringify(url)}) format("woff2");font-weight:${range.join(" ") || (number(font.weight) ?? 400)}`;
  const locals = STAND_INS.map((family) => `local("${family}")`).join(",");
  return [
    url && `@font-face{font-family:${name};${own};font-display:swap}`,
    url &&
      number(size) &&
      `@font-face{font-family:${name}-fallback;src:${locals};size-adjust:${percent(size)};` +
        `ascent-override:${percent(ascent)};descent-override:${percent(descent)};line-gap-override:${percent(line_gap)}}`,
  ].filter((rule): rule is string => Boolean(rule));
}
