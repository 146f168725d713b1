/** A flow in an element of the app's page, drawn by the player of the hosted pages in a shadow root. */

import { type Json, memberOf, object, text } from "@onboarding/flow/json";
import { directionOf } from "@onboarding/flow/languages";
import { FONT_NAMES } from "@onboarding/flow/theme";
import { showNotices } from "@onboarding/pages/app/notices";
import { Bridge } from "@onboarding/pages/bridge";
import { rulesOf } from "@onboarding/pages/fonts";
import { languageTag } from "@onboarding/pages/locale";
import { type Environment, Player } from "@onboarding/pages/player";
import { preloadPictures } from "@onboarding/pages/preload";
import type { Onboarding } from "../onboarding";
import type { FlowSession } from "../session";
import type { Flow, Resolution } from "../types";
import { type Components, NativeScreens } from "./native";
import { askApp, type Hooks, type OnboardingResult, resultOf, type Shown } from "./options";
import { type LoadedParts, partsOf } from "./parts";
import { addFontRules, addStyles } from "./styles";

export interface DrawOptions extends Hooks {
  /** Draw screens of type `native`, by their names. */
  screens?: Components | undefined;
}

export interface Drawn {
  result: Promise<OnboardingResult>;
  session: FlowSession;
  /** Take the flow away. The visit is kept, and goes on when the flow is shown again. */
  remove(): void;
}

/** Draw a flow into an element, which it fills. Rejected where a part of the script cannot be loaded. */
export async function draw(
  client: Onboarding,
  resolution: Shown,
  element: HTMLElement,
  options: DrawOptions,
  isWanted: () => boolean = () => true,
): Promise<Drawn | null> {
  await client.ready;
  const parts = await partsOf(resolution.flow);
  if (!isWanted()) {
    return null;
  }
  const flow = sanitized(resolution.flow, parts);
  const { screens = {}, onEvent } = options;
  const session: FlowSession = client.start(
    { ...resolution, flow },
    (request) => askApp(options, request, session.state.screen),
    onEvent,
    (name) => memberOf(screens, name) !== undefined,
  );
  session.flow.illustrations = parts.illustrations;
  return place(session, flow, element, options, parts, client.device().locale);
}

function place(
  session: FlowSession,
  flow: Flow,
  element: HTMLElement,
  options: DrawOptions,
  parts: LoadedParts,
  locale = "en",
): Drawn {
  const host = document.createElement("div");
  const shadow = host.attachShadow({ mode: "open" });
  const scroller = document.createElement("div");
  const root = document.createElement("div");
  scroller.className = "scroller";
  root.className = "app";
  root.lang = languageTag(flow.locale ?? locale) || "en";
  root.dir = flow.direction ?? directionOf(root.lang);
  scroller.append(root);
  addStyles(shadow, parts.styles);
  shadow.append(scroller);
  element.append(host);

  const { engine } = session;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const native = new NativeScreens(host, engine, options.screens ?? {});
  const environment: Environment = {
    // The app takes the flow away at its end, as the app of a web view does.
    bridge: new Bridge({ flutter_bridge: { postMessage: () => undefined } } as unknown as Window),
    screens: { ...parts.screens, native: (context) => native.view(context) },
    times: parts.times,
    hasApp: () => options.onSignup !== undefined,
    isEdited: false,
    isDark: () => dark.matches,
    language: root.lang,
    scroller,
    back: () => engine.back(),
    open: () => false,
    ended: async () => [],
  };
  const removeFonts = addFontRules(fontRules(flow.theme));
  const player = new Player(root, engine, environment);
  const repaint = () => player.repaint();
  dark.addEventListener("change", repaint);
  let settle: (result: OnboardingResult) => void = () => {};
  const remove = () => {
    player.close();
    native.close();
    dark.removeEventListener("change", repaint);
    removeFonts();
    host.remove();
    settle(resultOf("skipped", { flowId: flow.id, variant: null } as Resolution));
  };
  const result = new Promise<OnboardingResult>((done) => {
    settle = done;
    session.result.then((ended) => {
      done(ended);
      remove();
    });
  });
  player.show(0);
  showNotices(root, engine, player, () => {
    engine.stay(null);
    player.show(1);
    engine.reconsider();
  });
  preloadPictures(player.stage, engine.state.screenId);
  return { result, session, remove };
}

/** Return a flow whose custom screens have no scripts: the service resolves them as they were written. */
function sanitized(flow: Flow, { sanitize }: LoadedParts): Flow {
  if (!sanitize) {
    return flow;
  }
  const screens = flow.screens.map((screen) => {
    const content = object(screen.content);
    return screen.type === "custom"
      ? { ...screen, content: { ...content, html: sanitize(text(content.html)) } }
      : screen;
  });
  return { ...flow, screens: screens as Flow["screens"] };
}

function fontRules(theme: Json | null): string[] {
  const fonts = object(theme?.typography);
  return Object.entries(FONT_NAMES).flatMap(([member, name]) => rulesOf(name, object(fonts[member])));
}
