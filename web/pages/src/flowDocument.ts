/** The document of a flow, as the page embeds it, and readers of content that may have any shape. */

export type Json = Record<string, unknown>;

export interface Screen {
  id: string;
  type: string;
  content: Json;
  settings: Json;
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

/** Return an own member of a map: `constructor` and the like are none. iOS 14 has no `Object.hasOwn`. */
export function memberOf<Value>(map: Record<string, Value>, name: string): Value | undefined {
  return Object.getOwnPropertyDescriptor(map, name)?.value as Value | undefined;
}

/** Return an object, or an empty one for everything else. */
export function object(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

/** Return a list, or an empty one for everything else. */
export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Return the first text or number as trimmed text, or an empty text. */
export function text(...values: unknown[]): string {
  for (const value of values) {
    if (typeof value === "string" && value.trim()) {
      return value.trim();
    }
    if (typeof value === "number" && Number.isFinite(value)) {
      return String(value);
    }
  }
  return "";
}

/** Return the first number, or undefined. */
export function number(...values: unknown[]): number | undefined {
  for (const value of values) {
    const parsed = typeof value === "string" && value.trim() ? Number(value) : value;
    if (typeof parsed === "number" && Number.isFinite(parsed)) {
      return parsed;
    }
  }
  return undefined;
}
