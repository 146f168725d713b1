/** The page of a flow: history, reloads, events and the bridge. */

import { pathOf, readAddress } from "./address";
import { Bridge } from "./bridge";
import { picture } from "./content";
import { EventQueue } from "./events";
import { number, readDocument } from "./flowDocument";
import { applyLocale } from "./locale";
import { type Environment, Player } from "./player";
import { Visit } from "./visit";

const MAX_PAINT_MS = 300;
const dark = window.matchMedia("(prefers-color-scheme: dark)");

/** Show a flow, which `source` has as JSON, at the screen of the address. */
export function startFlow(root: HTMLElement, source: string): void {
  const flow = readDocument(JSON.parse(source));
  const address = readAddress(location.pathname, location.search, flow.flowId);
  applyLocale(address.locale);
  const visit = new Visit(flow.flowId, address.deviceId);
  const common = { deviceId: address.deviceId, flowId: flow.flowId, sessionId: visit.sessionId, ...platform() };
  const isRecording = flow.analyticsEnabled && !flow.isPreview;
  const queue = isRecording ? new EventQueue(`${address.base}/api/analytics/events`, flow.projectId, common) : null;
  const bridge = new Bridge();
  const moveTo = (index: number, replace: boolean) => {
    const path = pathOf(address, index) + location.search;
    // The number of screens of this visit that the browser can go back to. It survives a reload.
    const depth = readDepth() + (replace ? 0 : 1);
    history[replace ? "replaceState" : "pushState"]({ index, depth }, "", path);
  };
  const environment: Environment = {
    visit,
    bridge,
    isDark: () => dark.matches,
    record: (eventType, members) => queue?.add(eventType, members),
    go: (index) => {
      moveTo(index, false);
      player.show(index, 1);
    },
    // A page that was opened in the middle has no screens before it in the history.
    back: (index) => {
      if (readDepth() > 0) {
        history.back();
      } else {
        moveTo(index, true);
        player.show(index, -1);
      }
    },
    ended: () => {
      visit.end();
      queue?.flush();
    },
  };
  const player = new Player(root, flow, environment);
  window.addEventListener("popstate", (event) => {
    const state = event.state as { index?: number } | null;
    const index = Math.min(state?.index ?? readAddress(location.pathname, "", "").index, visit.furthest);
    player.show(index, index < player.position ? -1 : 1);
  });
  dark.addEventListener("change", () => player.show(player.position, 0));

  const first = flow.isPreview ? address.index : Math.min(address.index, visit.furthest);
  moveTo(Math.min(first, Math.max(0, flow.screens.length - 1)), true);
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

function platform(): { platform?: string } {
  const agent = navigator.userAgent;
  const name = /android/i.test(agent) ? "android" : /iphone|ipad|ipod/i.test(agent) ? "ios" : "";
  return name ? { platform: name } : {};
}
