/** The preview in the dashboard: documents come by messages of its origin, and nothing is recorded. */

import { type FlowDocument, readDocument } from "@onboarding/flow/document";
import { number, object, text } from "@onboarding/flow/json";
import { Bridge } from "./bridge";
import { applyLocale } from "./locale";
import { type Environment, Player } from "./player";
import { sanitizeHtml } from "./sanitize";
import type { TextStore } from "./storage";
import { Visit } from "./visit";

/**
 * Show the documents that the dashboard sends. `illustrations` is JSON: the addresses of the pages' illustrations by
 * their names.
 */
export function startPreview(root: HTMLElement, origin: string, illustrations = "{}"): void {
  const addresses = JSON.parse(illustrations) as Record<string, string>;
  const send = (message: object) => window.parent.postMessage(message, origin);
  // Answers stay while the document changes.
  const visit = new Visit("preview", "preview", emptyStore());
  window.addEventListener("message", (event: MessageEvent<unknown>) => {
    const message = object(event.data);
    if (event.origin === origin && event.source === window.parent && message.type === "onboarding:preview") {
      applyLocale(text(message.locale) || null, text(message.dir));
      const flow = { ...readPreview(message.document), illustrations: addresses };
      show(root, flow, visit, number(message.screenIndex) ?? 0, message.dark === true, send);
    }
  });
  applyLocale(null);
  send({ type: "onboarding:preview-ready" });
}

function readPreview(source: unknown): FlowDocument {
  const flow = readDocument(source);
  for (const screen of flow.screens) {
    if (screen.type === "custom") {
      screen.content.html = sanitizeHtml(text(screen.content.html));
    }
  }
  return flow;
}

function show(
  root: HTMLElement,
  flow: FlowDocument,
  visit: Visit,
  first: number,
  isDark: boolean,
  send: (message: object) => void,
): void {
  const move = (index: number, direction: number) => {
    player.show(index, direction);
    send({ type: "onboarding:preview-screen", index: player.position });
  };
  const environment: Environment = {
    visit,
    // Without receivers, so that no message reaches an app.
    bridge: new Bridge({} as Window),
    hasApp: () => true,
    // Nothing may lead the frame away from the preview.
    open: () => true,
    isDark: () => isDark,
    record: () => undefined,
    go: (index) => move(index, 1),
    back: (index) => move(index, -1),
    ended: async () => [],
  };
  const player = new Player(root, flow, environment);
  player.show(first, 0);
}

function emptyStore(): TextStore {
  return { get: () => null, set: () => undefined, remove: () => undefined };
}
