/** The document of a flow, as a hosted page embeds it. */

import { type Json, list, object, text } from "./json";

export interface Screen {
  id: string;
  type: string;
  content: Json;
  settings: Json;
  /** Conditions and rules as they came, which the code of logic reads. */
  showIf: readonly unknown[];
  next: readonly unknown[];
}

export interface FlowDocument {
  isPreview: boolean;
  projectId: string;
  projectName: string;
  flowId: string;
  theme: Json;
  screens: Screen[];
  /** Variables as they came, which the code of logic reads. */
  variables: readonly unknown[];
  recordAnswers: boolean;
  analyticsEnabled: boolean;
  illustrations: Record<string, string>;
}

/**
 * Return a document of any shape as a `FlowDocument`; missing members and those of another type are empty. Its texts get
 * the name of the app, unless the code of logic fills them in.
 */
export function readDocument(value: unknown, isFilledLater = false): FlowDocument {
  const source = object(value);
  const read = (screen: Json, index: number) =>
    readScreen(screen, index, isFilledLater ? null : text(source.projectName));
  return {
    isPreview: source.mode === "preview",
    projectId: text(source.projectId),
    projectName: text(source.projectName),
    flowId: text(source.flowId),
    theme: object(source.theme),
    screens: list(source.screens).map(object).map(read),
    variables: list(source.variables),
    recordAnswers: source.recordAnswers === true,
    analyticsEnabled: source.analyticsEnabled === true,
    illustrations: object(object(source.assets).illustrations) as Record<string, string>,
  };
}

/** Return the place of a screen in the flow, -1 without it. */
export function placeOf({ screens }: FlowDocument, screenId: string | null | undefined): number {
  return screens.findIndex(({ id }) => id === screenId);
}

/** Return the number of the screens that count for the progress. */
export function countOf(screens: readonly Screen[]): number {
  return screens.filter(({ settings }) => settings.counts !== false).length;
}

function readScreen(screen: Json, index: number, appName: string | null): Screen {
  const content = object(screen.content);
  return {
    id: text(screen.id) || String(index + 1),
    type: text(screen.type),
    content: appName === null ? content : fill(content, appName),
    settings: object(screen.settings),
    showIf: list(screen.showIf),
    next: list(screen.next),
  };
}

/** Return a content with the name of the app for `{{app_name}}` in all texts. It does not become markup. */
function fill(content: Json, appName: string): Json {
  return JSON.parse(JSON.stringify(content), (name, value: unknown) =>
    typeof value === "string"
      ? value.replace(/\\?\{\{\s*app_name\s*\}\}/g, (found) =>
          // After a backslash the braces stay, for the code of logic.
          found[0] === "\\" ? found : name === "html" ? escapeHtml(appName) : appName,
        )
      : value,
  );
}

/** Return a text as HTML. */
export function escapeHtml(value: string): string {
  return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
