/** The preview in the dashboard: documents come by messages of its origin, and nothing is recorded. */

import { type FlowDocument, readDocument } from "@onboarding/flow/document";
import { type Json, number, object, text } from "@onboarding/flow/json";
import type { FlowSession } from "@onboarding/flow/session";
import { App } from "./app/app";
import { addFonts } from "./fonts";
import { addIcons } from "./icons";
import { MORE_ICONS } from "./iconset";
import { languageOf } from "./language";
import { applyLocale } from "./locale";
import { logic } from "./logic";
import { type Environment, Player } from "./player";
import { sanitizeHtml } from "./sanitize";
import { consent } from "./screens/consent";
import { loading } from "./screens/loading";
import { PANELS } from "./screens/panels";
import { paywall } from "./screens/paywall";
import { picker } from "./screens/picker";
import { signup } from "./screens/signup";
import { versus } from "./screens/versus";
import { startTimes } from "./timing";
import { loadedWords, useWords } from "./words";

/** Nothing is recorded, and no app is asked. */
const HOST = { record: () => undefined, ask: () => null };

/**
 * Show the documents that the dashboard sends. `illustrations` and `words` are JSON: the addresses of the pages'
 * illustrations by their names, and of the words by their languages.
 */
export function startPreview(root: HTMLElement, origin: string, illustrations = "{}", words = "{}"): void {
  const addresses = JSON.parse(illustrations) as Record<string, string>;
  const scripts = JSON.parse(words) as Record<string, string>;
  addIcons(MORE_ICONS);
  const send = (message: object) => window.parent.postMessage(message, origin);
  // Position and answers stay while the document changes.
  let last: FlowSession | undefined;
  const draw = (message: Json) => {
    applyLocale(text(message.locale) || null, text(message.dir));
    useWords(loadedWords()[languageIn(message)]);
    const host = { ...HOST, logic, context: object(message.context) };
    // The player of the dashboard sets path and answers. A dashboard of the release before does not.
    const state = object(message.state ?? last?.state);
    const flow = { ...readPreview(message.document), illustrations: addresses, isPreview: true };
    const app = new App(flow, false, {} as Window);
    const session = app.open(host, logic, state);
    // A dashboard of the release before sends the place of the screen.
    const place = number(message.screenIndex) ?? -1;
    session.open(text(message.screenId) || (session.flow.screens[place]?.id ?? ""), true);
    last = session;
    session.subscribe((present, { screenId }) => {
      if (present.screenId !== screenId || present.isOver) {
        send({ type: "onboarding:preview-screen", screenId: present.screenId, state: present });
      }
    });
    void addFonts(session.flow.theme);
    new Player(root, session, environmentOf(session, app, message.dark === true)).show(0);
  };
  const languageIn = ({ locale }: Json) => languageOf(text(locale), Object.keys(scripts));
  let latest: Json = {};
  window.addEventListener("message", (event: MessageEvent<unknown>) => {
    const message = object(event.data);
    if (event.origin === origin && event.source === window.parent && message.type === "onboarding:preview") {
      latest = message;
      const address = scripts[languageIn(message)];
      if (!address || loadedWords()[languageIn(message)]) {
        draw(message);
      } else {
        const drawn = () => latest === message && draw(message);
        import(/* @vite-ignore */ new URL(address, location.href).href).then(drawn, drawn);
      }
    }
  });
  // The dashboard opens the field of a text or picture. The texts of buttons are pressed.
  root.addEventListener(
    "click",
    ({ target }) => {
      const clicked = target as HTMLImageElement;
      if (!clicked.closest("button, a")) {
        send({ type: "onboarding:preview-text", text: clicked.src || clicked.textContent });
      }
    },
    true,
  );
  applyLocale(null);
  send({ type: "onboarding:preview-ready" });
}

function readPreview(source: unknown): FlowDocument {
  const flow = readDocument(source, true);
  for (const screen of flow.screens) {
    if (screen.type === "custom") {
      screen.content.html = sanitizeHtml(text(screen.content.html));
    }
  }
  return flow;
}

function environmentOf(session: FlowSession, app: App, isDark: boolean): Environment {
  return {
    // Without receivers, so that no message reaches an app.
    bridge: app.bridge,
    screens: {
      ...PANELS,
      consent,
      loading,
      native: (context) => app.view(context),
      paywall: (context) => paywall(context, versus),
      question_picker: picker,
      signup,
    },
    times: startTimes,
    hasApp: () => true,
    isEdited: true,
    // Nothing may lead the frame away from the preview.
    open: () => true,
    isDark: () => isDark,
    language: document.documentElement.lang,
    scroller: window,
    back: () => session.back(),
    ended: async () => [],
  };
}
