/** A page of a flow in tests: its screens, what it sends, and the messages of its bridge. */

import { afterEach, beforeEach, vi } from "vitest";
import type { Event } from "./events";
import { startFlow } from "./live";

export type Content = Record<string, unknown>;

/** What the present page has sent, and what it gets. */
export const page = {
  messages: [] as string[],
  events: [] as Event[],
  urls: [] as string[],
  reply: confirm,
  changeScheme: () => {},
};

/**
 * Return the reply of a service that has stored the events. Its body is no stream: streams are read in real time, which
 * fake timers do not wait for, and until then the events are stored as not sent.
 */
async function confirm(): Promise<Response> {
  return Object.assign(new Response(), { json: async () => ({ success: true }) });
}

/** Show a flow in a new page. With `app` there is a bridge, which keeps the messages. */
export async function open(screens: Content[], { app = false, query = "" } = {}): Promise<void> {
  sessionStorage.clear();
  localStorage.clear();
  history.replaceState(null, "", `/s/ticket/onboarding/flow_1/1?deviceId=d1${query}`);
  await load(screens, app);
}

/** Load the page of the present address. */
export async function load(screens: Content[], app = false): Promise<void> {
  leave();
  Object.assign(page, { messages: [], events: [], urls: [] });
  if (app) {
    vi.stubGlobal("flutter_bridge", { postMessage: (text: string) => void page.messages.push(text) });
  }
  // The document of another test has its direction.
  document.documentElement.removeAttribute("dir");
  document.body.innerHTML = '<div id="app"></div>';
  const source = { projectId: "p", projectName: "Shop", flowId: "flow_1", analyticsEnabled: true, recordAnswers: true };
  const shown = screens.map((screen, index) => ({ id: `s${index + 1}`, name: "Internal name", ...screen }));
  await startFlow(document.getElementById("app") as HTMLElement, JSON.stringify({ ...source, screens: shown }));
  await settle();
}

export const settle = () => vi.advanceTimersByTimeAsync(400);
export const heading = () => document.querySelector("h1")?.textContent;
export const find = <Found extends Element = HTMLElement>(selector: string) =>
  document.querySelector(selector) as Found;
export const press = async (selector = ".primary") => {
  find(selector).click();
  await settle();
};
/** Go to another entry of the history, as the browser does it. */
export const pop = (state: Content) => window.dispatchEvent(new PopStateEvent("popstate", { state }));
/** Press Back. The history of jsdom moves at a real time of its own, which fake timers do not wait for. */
export const pressBack = async () => {
  const moved = new Promise((resolve) => window.addEventListener("popstate", resolve, { once: true }));
  find(".back").click();
  await moved;
  await settle();
};
export const types = () => page.events.map(({ eventType }) => eventType);
export const welcome = (title: string) => ({ type: "welcome", content: { title } });

/** The listeners of the present page. All files of a worker have one window. */
const listeners: [EventTarget, string, EventListenerOrEventListenerObject | null][] = [];

/** End the present page, as a browser does before the next one. */
function leave(): void {
  for (const [target, type, listener] of listeners.splice(0)) {
    target.removeEventListener(type, listener);
  }
}

/** Replace what the page has of a browser, in each test of a file. */
export function usePage(): void {
  beforeEach(() => {
    vi.useFakeTimers({
      toFake: ["setTimeout", "setInterval", "clearTimeout", "Date", "performance", "requestAnimationFrame"],
    });
    page.reply = confirm;
    vi.stubGlobal("fetch", async (url: string, request: RequestInit) => {
      page.urls.push(url);
      const response = await page.reply();
      if (response.ok) {
        page.events.push(...(JSON.parse(String(request.body)) as { events: Event[] }).events);
      }
      return response;
    });
    for (const target of [window, document]) {
      const listen = target.addEventListener.bind(target);
      vi.spyOn(target, "addEventListener").mockImplementation((type, listener, options) => {
        listeners.push([target, type, listener]);
        listen(type, listener, options);
      });
    }
    vi.stubGlobal("scrollTo", () => undefined);
    vi.stubGlobal("matchMedia", () => ({
      matches: false,
      addEventListener: (_: string, listener: () => void) => {
        page.changeScheme = listener;
      },
    }));
  });
  afterEach(() => {
    leave();
    vi.restoreAllMocks();
    vi.clearAllTimers();
    vi.useRealTimers();
  });
}
