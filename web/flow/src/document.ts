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
  recordAnswers: boolean;
  analyticsEnabled: boolean;
  illustrations: Record<string, string>;
}

/** Return a document of any shape as a `FlowDocument`; missing members and those of another type are empty. */
export function readDocument(value: unknown): FlowDocument {
  const source = object(value);
  return {
    isPreview: source.mode === "preview",
    projectId: text(source.projectId),
    projectName: text(source.projectName),
    flowId: text(source.flowId),
    theme: object(source.theme),
    screens: list(source.screens).map((screen, index) => readScreen(object(screen), index, text(source.projectName))),
    recordAnswers: source.recordAnswers === true,
    analyticsEnabled: source.analyticsEnabled === true,
    illustrations: object(object(source.assets).illustrations) as Record<string, string>,
  };
}

function readScreen(screen: Json, index: number, appName: string): Screen {
  const content = object(screen.content);
  const filled = fill(content, appName) as Json;
  return {
    id: text(screen.id) || String(index + 1),
    type: text(screen.type),
    // The name of the app must not become markup.
    content: typeof content.html === "string" ? { ...filled, html: fill(content.html, escapeHtml(appName)) } : filled,
    settings: object(screen.settings),
    showIf: list(screen.showIf),
    next: list(screen.next),
  };
}

/** Return a value with the name of the app for `{{app_name}}` in all texts. */
function fill(value: unknown, appName: string): unknown {
  if (typeof value === "string") {
    return value.replace(/\{\{\s*app_name\s*\}\}/g, () => appName);
  }
  if (Array.isArray(value)) {
    return value.map((item) => fill(item, appName));
  }
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fill(item, appName)]));
  }
  return value;
}

function escapeHtml(value: string): string {
  return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
