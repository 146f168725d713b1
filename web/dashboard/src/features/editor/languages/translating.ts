/** Translations of the document that is edited. */

import { textAt, translated } from "@onboarding/flow/languages";
import { type PseudoLocale, pseudoContent } from "@onboarding/flow/pseudo";
import type { FlowDocument, FlowScreen } from "../document";

export type Translation = NonNullable<FlowScreen["localizations"]>[string][string];

/** A text of a screen with its translation; an empty `text` is missing. */
export interface ScreenText {
  pointer: string;
  base: string;
  text: string;
  state: "missing" | "outdated" | "done";
  /** Whether a machine has made it, and it is not confirmed yet. */
  isMachine: boolean;
}

/** Return the texts of a screen at these pointers, in one language. Pointers that lead to no text have none. */
export function textsOf(screen: FlowScreen, locale: string, pointers: readonly string[]): ScreenText[] {
  return pointers.flatMap((pointer) => {
    const base = textAt(screen.content, pointer);
    if (!base) {
      return [];
    }
    const { text = "", source = "", machine } = screen.localizations?.[locale]?.[pointer] ?? {};
    const state = text === "" ? "missing" : source === base ? "done" : "outdated";
    return [{ pointer, base, text, state, isMachine: machine === true && text !== "" }];
  });
}

/** Return the document with another translation of a text; an empty text takes the translation away. */
export function withTranslation(
  document: FlowDocument,
  screenId: string,
  locale: string,
  pointer: string,
  translation: Translation,
): FlowDocument {
  const change = (screen: FlowScreen) => {
    const { [locale]: former, ...others } = screen.localizations ?? {};
    const { [pointer]: _, ...rest } = former ?? {};
    return withLocalizations(screen, {
      ...others,
      [locale]: translation.text === "" ? rest : { ...former, [pointer]: translation },
    });
  };
  return { ...document, screens: document.screens.map((screen) => (screen.id === screenId ? change(screen) : screen)) };
}

/** Return a screen with the translations that the service takes for a new screen: of a text, into these languages. */
export function withNewTranslations(screen: FlowScreen, locales: readonly string[]): FlowScreen {
  const kept = Object.entries(screen.localizations ?? {})
    .filter(([locale]) => locales.indexOf(locale) > 0)
    .map(([locale, texts]) => {
      const known = Object.entries(texts).filter(([pointer]) => textAt(screen.content, pointer) !== undefined);
      return [locale, Object.fromEntries(known)] as const;
    });
  return withLocalizations(screen, Object.fromEntries(kept));
}

/** Return the document with the texts of a language, as devices of that language see it. */
export function inLanguage(document: FlowDocument, locale: string, locales: readonly string[]): FlowDocument {
  const screens = document.screens.map(({ localizations = {}, ...screen }) => ({
    ...screen,
    content: translated(screen.content, plainTexts(localizations), locale, locales),
  }));
  return { ...document, screens };
}

/** Return the document with the texts of a pseudo-locale, which tests how pages take translations. */
export function inPseudoLocale<Document extends Pick<FlowDocument, "screens">>(
  document: Document,
  locale: PseudoLocale,
): Document {
  const screens = document.screens.map((screen) => ({ ...screen, content: pseudoContent(screen.content, locale) }));
  return { ...document, screens };
}

function plainTexts(localizations: NonNullable<FlowScreen["localizations"]>) {
  const texts = (translations: Record<string, Translation>) =>
    Object.fromEntries(Object.entries(translations).map(([pointer, { text }]) => [pointer, text]));
  return Object.fromEntries(Object.entries(localizations).map(([locale, inner]) => [locale, texts(inner)]));
}

/** Set the translations of a screen. Empty objects are left out, as the service does. */
function withLocalizations(screen: FlowScreen, localizations: NonNullable<FlowScreen["localizations"]>): FlowScreen {
  const { localizations: _, ...rest } = screen;
  const filled = Object.entries(localizations).filter(([, texts]) => Object.keys(texts).length > 0);
  return filled.length > 0 ? { ...rest, localizations: Object.fromEntries(filled) } : rest;
}
