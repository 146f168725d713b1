import { heading } from "@onboarding/flow/content";
import { text } from "@onboarding/flow/json";
import type { DocumentScreenView, DocumentView, FlowViewWithContent, ScreenTemplateView } from "@/api/schema";
import { editorTexts } from "@/features/editor/texts";
import { flowTexts } from "@/features/flows/texts";
import { withNewTranslations } from "./languages/translating";

export type FlowDocument = DocumentView;
export type FlowScreen = DocumentScreenView;
export type Content = Record<string, unknown>;
/** Changes a document; changes of one `field` in quick succession are one step of the history. */
export type Change = (document: FlowDocument, field?: string) => void;

/** The selection of the flow itself instead of a screen. */
export const FLOW = "flow";

/** Return the document of a live flow. */
export function documentOf(flow: FlowViewWithContent): FlowDocument {
  const { name, description, theme_id, targeting, variables, screens } = flow;
  return {
    name,
    description,
    theme_id,
    targeting: { percentage: targeting.percentage, conditions: targeting.conditions.map((entry) => ({ ...entry })) },
    ...(variables && { variables }),
    screens: screens.map(({ order: _, ...screen }) => screen),
  };
}

/** Return the name of a screen, for people. */
export function screenName(screen: FlowScreen): string {
  return text(screen.name) || heading(screen) || typeName(screen.type);
}

/** Return the name of a type of screens, for people. */
export function typeName(type: string): string {
  return flowTexts.types[type] ?? type;
}

/** Return a screen made from a template, with an id of its own. */
export function screenFrom(template: ScreenTemplateView): FlowScreen {
  return {
    id: newScreenId(),
    type: template.type,
    name: template.name,
    content: structuredClone(template.default_content),
    settings: {},
  };
}

const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

/** Return a new id in the form of the service: a TypeID, which is a UUIDv7 in base32. */
export function newScreenId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const time = BigInt(Date.now()) << 80n;
  const random = bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n) & ((1n << 80n) - 1n);
  // Bits 76 to 79 are the version, bits 62 and 63 the variant.
  let uuid = time | (random & ~(15n << 76n) & ~(3n << 62n)) | (7n << 76n) | (2n << 62n);
  let text = "";
  while (text.length < 26) {
    text = DIGITS[Number(uuid & 31n)] + text;
    uuid >>= 5n;
  }
  return `screen_${text}`;
}

/** Return the document with a screen inserted after another one, or at the end. */
export function insertScreen(document: FlowDocument, screen: FlowScreen, after: string): FlowDocument {
  const place = document.screens.findIndex(({ id }) => id === after);
  return {
    ...document,
    screens: document.screens.toSpliced(place === -1 ? document.screens.length : place + 1, 0, screen),
  };
}

/**
 * Return a copy of a screen; its answer key gets a number, because two screens may not share one. Its rules read the
 * answer of the copy. It has the translations into the languages of the project, the default first.
 */
export function copyOfScreen(document: FlowDocument, screen: FlowScreen, locales: readonly string[] = []): FlowScreen {
  const copy = { ...structuredClone(withNewTranslations(screen, locales)), id: newScreenId() };
  const keys = new Set(document.screens.map(({ content }) => content.answer_key));
  const key = screen.content.answer_key;
  if (typeof key === "string" && key !== "") {
    let number = 2;
    while (keys.has(`${key}_${number}`)) {
      number += 1;
    }
    copy.content.answer_key = `${key}_${number}`;
  }
  const attributeOf = (one: FlowScreen) => `answers.${text(one.content.answer_key) || one.id}`;
  for (const condition of copy.next?.flatMap(({ when }) => when) ?? []) {
    if (condition.attribute === attributeOf(screen)) {
      (condition as { attribute: string }).attribute = attributeOf(copy);
    }
  }
  return { ...copy, name: editorTexts.copyOf(screenName(screen)).slice(0, 100) };
}

/** Return the document without a screen. */
export function removeScreen(document: FlowDocument, id: string): FlowDocument {
  return { ...document, screens: document.screens.filter((screen) => screen.id !== id) };
}

/** Return the document with a screen at another place; one outside of the flow changes nothing. */
export function moveScreen(document: FlowDocument, id: string, place: number): FlowDocument {
  const from = document.screens.findIndex((screen) => screen.id === id);
  const screen = document.screens[from];
  if (screen === undefined || place < 0 || place >= document.screens.length || place === from) {
    return document;
  }
  return { ...document, screens: document.screens.toSpliced(from, 1).toSpliced(place, 0, screen) };
}

/** Return the document with changes of a screen. Empty conditions and rules are left out, as the service does. */
export function changeScreen(document: FlowDocument, id: string, changes: Partial<FlowScreen>): FlowDocument {
  const change = (screen: FlowScreen): FlowScreen => {
    const { show_if = [], next = [], ...rest } = { ...screen, ...changes };
    return { ...rest, ...(show_if.length > 0 && { show_if }), ...(next.length > 0 && { next }) } as FlowScreen;
  };
  return { ...document, screens: document.screens.map((screen) => (screen.id === id ? change(screen) : screen)) };
}

/**
 * Return the path of the first text of a content that is shown as `text`, such as `options.0.label`; undefined without
 * one. A file of the media library is found by its id.
 */
export function memberShowing(value: unknown, text: string, projectName: string): string | undefined {
  if (typeof value === "string" || typeof value === "number") {
    return String(value).replaceAll("{{app_name}}", projectName).trim() === text.trim() ? "" : undefined;
  }
  for (const [name, inner] of Object.entries(value ?? {})) {
    const path = memberShowing(inner, text, projectName);
    if (path !== undefined) {
      // The field of a picture has the member of the reference.
      return name === "media_id" ? "" : path === "" ? name : `${name}.${path}`;
    }
  }
  return undefined;
}
