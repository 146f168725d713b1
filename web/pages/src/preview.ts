/** The preview in the dashboard: documents come by messages of its origin, and nothing is recorded. */

import { Bridge } from "./bridge";
import { number, object, readDocument, text } from "./flowDocument";
import { applyLocale } from "./locale";
import { Player, type Surroundings } from "./player";
import type { TextStore } from "./storage";
import { Visit } from "./visit";

export function startPreview(root: HTMLElement, origin: string): void {
  const tell = (message: object) => window.parent.postMessage(message, origin);
  window.addEventListener("message", (event: MessageEvent<unknown>) => {
    const message = object(event.data);
    if (event.origin === origin && event.source === window.parent && message.type === "onboarding:preview") {
      applyLocale(text(message.locale) || null, text(message.dir));
      show(root, message.document, number(message.screenIndex) ?? 0, message.dark === true, tell);
    }
  });
  applyLocale(null);
  tell({ type: "onboarding:preview-ready" });
}

function show(
  root: HTMLElement,
  source: unknown,
  first: number,
  isDark: boolean,
  tell: (message: object) => void,
): void {
  const move = (index: number, direction: number) => {
    player.show(index, direction);
    tell({ type: "onboarding:preview-screen", index: player.position });
  };
  const around: Surroundings = {
    visit: new Visit("preview", "preview", forgetful()),
    // Not the bridge of an app: an object without receivers.
    bridge: new Bridge({} as Window),
    isDark: () => isDark,
    record: () => undefined,
    go: (index) => move(index, 1),
    back: (index) => move(index, -1),
    ended: () => undefined,
  };
  const player = new Player(root, readDocument(source), around);
  player.show(first, 0);
}

function forgetful(): TextStore {
  return { get: () => null, set: () => undefined, remove: () => undefined };
}
