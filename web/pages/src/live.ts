/** The page of a flow: history, reloads, events and the bridge. */

import { type FlowDocument, placeOf, readDocument } from "@onboarding/flow/document";
import { type Json, number, object, text } from "@onboarding/flow/json";
import { FlowSession, type Host } from "@onboarding/flow/session";
import { type Address, pathOf, placeIn, readAddress } from "./address";
import { Bridge } from "./bridge";
import { EventQueue } from "./events";
import { applyLocale } from "./locale";
import { hasApp, loadParts } from "./parts";
import { Player } from "./player";
import { preloadPictures } from "./preload";
import { Visit } from "./visit";

const MAX_PAINT_MS = 300;
/** The app waits for the end of the flow so long at most. */
const MAX_END_MS = 1_500;

/** Show a flow, which `source` has as JSON, at the screen of the address. */
export async function startFlow(root: HTMLElement, source: string, { pathname, search } = location): Promise<void> {
  const value: unknown = JSON.parse(source);
  const plain = readDocument(value);
  const address = readAddress(pathname, search, plain.flowId);
  const { app: App, fonts, logic, screens, times } = await loadParts(plain, address.talks || hasApp(plain));
  const flow = logic ? readDocument(value, true) : plain;
  // The edge has chosen the language of a project with more than one, and its direction.
  if (!document.documentElement.dir) applyLocale(address.locale);
  const visit = new Visit(flow.flowId, address.deviceId);
  const isRecording = flow.analyticsEnabled && !flow.isPreview;
  const queue = isRecording ? eventQueue(address, flow.projectId, visit.sessionId) : null;
  const app = App && new App(flow, address.talks);
  const bridge = app?.bridge ?? new Bridge();
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const host: Host = {
    context: logic?.contextOf(address.context, address.deviceId) ?? {},
    logic,
    record: (eventType, members) => queue?.add(eventType, members),
    ask: (request) => bridge.ask(request),
  };
  const session = app && logic ? app.open(host, logic, visit.stored) : new FlowSession(flow, host, visit.stored);
  let isPopping = false;
  const moveTo = (screenId: string | null, replaces: boolean) => {
    changeHistory({ screenId }, pathOf(address, Math.max(0, placeOf(flow, screenId))) + location.search, replaces);
  };
  session.open(screenOf(object(history.state), flow), flow.isPreview);
  moveTo(session.state.screenId, true);
  session.subscribe((state, before) => {
    visit.save(state);
    if (state.screenId !== before.screenId) {
      moveTo(state.screenId, isPopping || state.path.length < before.path.length);
    }
  });
  const fontsArrived = fonts?.(flow.theme);
  // A page that was opened in the middle has no screens before it in the history.
  const back = () => (depthOf(history.state) > 0 ? history.back() : session.back());
  const player = new Player(root, session, {
    bridge,
    screens: app ? { ...screens, native: (context) => app.view(context) } : screens,
    times,
    hasApp: () => bridge.isPresent,
    isEdited: false,
    isDark: () => dark.matches,
    language: document.documentElement.lang,
    scroller: window,
    open: (url) => {
      bridge.openUrl(url);
      return bridge.isPresent;
    },
    back,
    ended: async () => (await queue?.finish(MAX_END_MS)) ?? [],
  });
  window.addEventListener("popstate", ({ state }) => {
    if (session.state.isOver) {
      player.showEnd();
    } else {
      isPopping = true;
      session.open(screenOf(object(state), flow));
      isPopping = false;
    }
  });
  dark.addEventListener("change", () => player.repaint());

  await fontsArrived;
  player.show(0);
  app?.follow(root, player, back);
  afterPaint(() => {
    bridge.loaded();
    player.sendThemeStyle();
    app?.ready();
    session.start();
    app?.begin();
    queue?.start();
    preloadPictures(player.stage, session.state.screenId);
  });
}

/** Return the screen of an entry of the history, or of the address. The release before stored its place in the flow. */
function screenOf({ screenId, index }: Json, { screens }: FlowDocument): string {
  const place = number(index) ?? placeIn(location.pathname);
  return text(screenId) || (screens[place]?.id ?? "");
}

/** Return the queue of a visit. Its events have what the page knows of the device. */
function eventQueue({ base, deviceId, flowId, context }: Address, projectId: string, sessionId: string): EventQueue {
  const platform = context.get("platform") ?? platformOf(navigator);
  if (platform) {
    context.set("platform", platform);
  }
  const isKnown = platform === "ios" || platform === "android";
  const appVersion = context.get("appVersion")?.slice(0, 128);
  const common = {
    ...{ deviceId, flowId, sessionId, locale: document.documentElement.lang },
    ...(isKnown ? { platform } : {}),
    ...(appVersion ? { appVersion } : {}),
  };
  return new EventQueue(`${base}/api/analytics/events`, projectId, common, context.toString());
}

/** Return ios, android or an empty text. The web view of an iPad claims to be a Mac, which has no touch screen. */
function platformOf({ userAgent, maxTouchPoints }: Navigator): string {
  if (/android/i.test(userAgent)) {
    return "android";
  }
  const isApple = /iphone|ipad|ipod/i.test(userAgent) || (/macintosh/i.test(userAgent) && maxTouchPoints > 1);
  return isApple ? "ios" : "";
}

function changeHistory(entry: Json, address: string, replaces: boolean): void {
  // The number of screens of this visit that the browser can go back to. It survives a reload.
  const depth = depthOf(history.state) + (replaces ? 0 : 1);
  try {
    history[replaces ? "replaceState" : "pushState"]({ ...entry, depth }, "", address);
  } catch {
    // Safari allows 100 changes in 30 s. The flow goes on without them.
  }
}

function depthOf(entry: unknown): number {
  return number(object(entry).depth) ?? 0;
}

/** Call back when the screen is painted, or after a time limit: an invisible web view is never painted. */
function afterPaint(callback: () => void): void {
  let isCalled = false;
  const once = () => {
    if (!isCalled) {
      isCalled = true;
      callback();
    }
  };
  requestAnimationFrame(() => requestAnimationFrame(once));
  window.setTimeout(once, MAX_PAINT_MS);
}
