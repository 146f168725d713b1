/** The page of a flow: history, reloads, events and the bridge. */

import { picture } from "@onboarding/flow/content";
import { readDocument } from "@onboarding/flow/document";
import { number } from "@onboarding/flow/json";
import { type Address, pathOf, readAddress } from "./address";
import { Bridge } from "./bridge";
import { EventQueue } from "./events";
import { applyLocale } from "./locale";
import { type Environment, Player } from "./player";
import { Visit } from "./visit";

const MAX_PAINT_MS = 300;
/** The app waits for the end of the flow so long at most. */
const MAX_END_MS = 1_500;

/** Show a flow, which `source` has as JSON, at the screen of the address. */
export function startFlow(root: HTMLElement, source: string): void {
  const flow = readDocument(JSON.parse(source));
  const address = readAddress(location.pathname, location.search, flow.flowId);
  applyLocale(address.locale);
  const visit = new Visit(flow.flowId, address.deviceId);
  const isRecording = flow.analyticsEnabled && !flow.isPreview;
  const queue = isRecording ? eventQueue(address, flow.projectId, visit.sessionId) : null;
  const bridge = new Bridge();
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const environment: Environment = {
    visit,
    bridge,
    hasApp: () => bridge.isPresent,
    isDark: () => dark.matches,
    record: (eventType, members) => queue?.add(eventType, members),
    open: (url) => {
      bridge.openUrl(url);
      return bridge.isPresent;
    },
    go: (index) => {
      moveTo(address, index, false);
      player.show(index, 1);
    },
    // A page that was opened in the middle has no screens before it in the history.
    back: (index) => {
      if (readDepth() > 0) {
        history.back();
      } else {
        moveTo(address, index, true);
        player.show(index, -1);
      }
    },
    ended: async () => {
      visit.end();
      return (await queue?.finish(MAX_END_MS)) ?? [];
    },
  };
  const player = new Player(root, flow, environment);
  window.addEventListener("popstate", (event) => {
    const state = event.state as { index?: number } | null;
    const index = Math.min(state?.index ?? readAddress(location.pathname, "", "").index, visit.furthest);
    player.show(index, index < player.position ? -1 : 1);
  });
  dark.addEventListener("change", () => player.repaint());

  const first = flow.isPreview ? address.index : Math.min(address.index, visit.furthest);
  moveTo(address, Math.min(first, Math.max(0, flow.screens.length - 1)), true);
  player.show(first, 0);
  afterPaint(() => {
    bridge.loaded();
    player.sendThemeStyle();
    if (visit.start()) {
      environment.record("flow_started");
    }
    const shown = flow.screens[player.position];
    environment.record("screen_viewed", shown ? { screenId: shown.id } : {});
    queue?.start();
    preloaded.push(...flow.screens.map((screen) => preload(picture(screen, flow))));
  });
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

/** Change the address to that of a screen. */
function moveTo(address: Address, index: number, replace: boolean): void {
  // The number of screens of this visit that the browser can go back to. It survives a reload.
  const depth = readDepth() + (replace ? 0 : 1);
  try {
    history[replace ? "replaceState" : "pushState"]({ index, depth }, "", pathOf(address, index) + location.search);
  } catch {
    // Safari allows 100 changes in 30 s. The flow goes on without them.
  }
}

function readDepth(): number {
  return number((history.state as { depth?: unknown } | null)?.depth) ?? 0;
}

/** References keep the browser from dropping pictures before their screens are shown. */
const preloaded: (HTMLImageElement | null)[] = [];

function preload(address: string): HTMLImageElement | null {
  if (!address) {
    return null;
  }
  const image = new Image();
  image.src = address;
  return image;
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
