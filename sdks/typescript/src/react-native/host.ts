/**
 * The app's side of a hosted page: it reads the messages of the page, calls the functions of the app, and answers each
 * request once. It knows neither React nor the web view.
 */

import { type Json, list, memberOf, object, text } from "@onboarding/flow/json";
import type { Screen } from "../types";
import type { NativeScreen } from "../web/options";
import type { Around, PageEnd, PageEvent, PageState } from "./types";

const VERSION = 2;
const PREFIX = "onboarding:";
/** The time in which a page must have painted its first screen. */
const PAINT_MS = 8_000;
/** The longest text that a page takes, and that the app takes of a page, which sends up to 500 events at its end. */
const MAX_SENT = 65_536;
const MAX_RECEIVED = 2_000_000;
export const NOT_REACHED = "The page cannot be reached.";
const NO_NATIVE = { native: null, notice: "" };
/** The requests of a service before bridge 2. */
const TEXTS: Record<string, string> = {
  request_permission: "permission",
  request_rating: "rating",
  purchase: "purchase",
  restore_purchases: "restore",
  signup: "signup",
};
const FAILED = "A function of the app has failed.";
const NO_RESULT = "No result.";

export class PageHost {
  /** Settled when the page has ended. Never rejected. */
  readonly result: Promise<PageEnd>;
  private current: PageState = { isPainted: false, isDark: false, native: null, notice: "" };
  private readonly listeners = new Set<() => void>();
  private settle: (end: PageEnd) => void = () => {};
  private readonly stopWaiting: () => void;
  private send: ((text: string) => void) | null = null;
  private isOver = false;
  /** The number of screens on the way to the present one. */
  private step = 1;
  /** The request of the screen that the app draws. */
  private drawn = 0;
  private hasCrashed = false;

  constructor(readonly around: Around) {
    this.result = new Promise((settle) => {
      this.settle = settle;
    });
    this.stopWaiting = around.after(PAINT_MS, () => this.fail(NOT_REACHED, "none"));
  }

  get state(): PageState {
    return this.current;
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Take the function that calls `window.onboardingHost` in the page. */
  connect(send: ((text: string) => void) | null): void {
    this.send = send;
  }

  /** Take a message of the view at an address. */
  receive(message: unknown, address: string): void {
    const isTaken = typeof message === "string" && message.length <= MAX_RECEIVED && this.isOwn(address);
    if (this.isOver || !isTaken) {
      return;
    }
    if (message.startsWith(PREFIX)) {
      this.receiveJson(parsed(message.slice(PREFIX.length)));
    } else {
      const [, name = "", rest = ""] = /^([a-zA-Z_]+):?(.*)$/s.exec(message) ?? [];
      this.receiveText(name, rest);
    }
  }

  /** Return whether the view may load an address itself. Others are opened outside of the flow, if they are https. */
  allows(address: string): boolean {
    if (this.isOwn(address)) {
      return true;
    }
    this.openUrl(address);
    return false;
  }

  /** Go back by a screen, as the button of the phone does. Return false on the first screen. */
  back(): boolean {
    const { native, isPainted } = this.current;
    if (!isPainted || this.isOver || this.step <= 1) {
      return false;
    }
    native ? native.back() : this.tell({ type: "back" });
    return true;
  }

  /** Stop times and videos while the app is in the background. */
  pause(isPaused: boolean): void {
    this.tell({ type: isPaused ? "pause" : "resume" });
  }

  setAttributes(attributes: Json): void {
    this.tell({ type: "attributes", attributes });
  }

  /** The component of the present native screen has failed: the page goes on as if the app had none. */
  undraw(error: unknown): void {
    this.warn(FAILED, error);
    this.reply(this.drawn, { handled: false });
    this.change(NO_NATIVE);
  }

  /** The view has stopped. A page that was seen is loaded again once: return true for that. A stored page is not there. */
  crashed(): boolean {
    const isLoaded = this.current.isPainted && !this.hasCrashed && !this.around.page.html;
    this.hasCrashed = true;
    this.change(NO_NATIVE);
    if (!isLoaded) {
      this.fail(NO_RESULT);
    }
    return isLoaded;
  }

  /** The page cannot be shown. It is over, because no user can go on. */
  fail(error: string, outcome: PageEnd["outcome"] = "error"): void {
    if (!this.current.isPainted || outcome === "error") {
      this.end(endOf(outcome, error));
    }
  }

  /** The page was not found in the network, or by its status. */
  unreachable(status?: number): void {
    if (!this.current.isPainted) {
      status ? this.fail(`${NOT_REACHED} (${status})`) : this.fail(NOT_REACHED, "none");
    }
  }

  /** End the flow as skipped, because the app takes it away. */
  close(): void {
    this.end(endOf("skipped"));
  }

  private receiveText(name: string, rest: string): void {
    const asked = memberOf(TEXTS, name);
    if (asked) {
      // A service before bridge 2 takes no answer.
      const members = asked === "signup" ? parsed(rest) : { permission: rest, productId: rest };
      this.call(this.functionFor(asked, members) ?? (() => undefined));
    } else if (name === "initial_load_complete") {
      this.stopWaiting();
      this.change({ isPainted: true });
    } else if (name === "themeStyle") {
      this.change({ isDark: rest === "light" });
    } else if (name === "open_url") {
      this.openUrl(rest);
    } else if (name === "pending_events") {
      this.pending(parsed(`{"events":${rest}}`).events);
    } else if (name === "close_pressed") {
      this.fail(NO_RESULT);
    }
  }

  private receiveJson({ v, id, type, ...members }: Json): void {
    if (v !== VERSION || typeof id !== "number") {
      return;
    }
    const screenId = text(members.screenId);
    const answers = object(members.answers);
    switch (type) {
      case "ready":
        this.notify({ eventType: "flow_started" });
        break;
      case "screen":
        this.step = Number(members.step) || 1;
        this.change(this.current.native?.screenId === screenId ? {} : NO_NATIVE);
        this.notify({ eventType: "screen_viewed", screenId });
        break;
      case "native":
        this.draw(id, { screenId, name: text(members.name), data: object(members.data), answers });
        break;
      case "open_url":
        this.openUrl(text(members.url));
        break;
      case "pending_events":
        this.pending(members.events);
        break;
      case "end": {
        const outcome = members.outcome === "completed" ? "completed" : "skipped";
        this.notify({ eventType: `flow_${outcome}` });
        this.end({ outcome, answers, variables: object(members.variables) });
        break;
      }
      default: {
        const run = this.functionFor(type, members);
        if (run !== null) {
          this.ask(id, run);
        }
      }
    }
  }

  /** Return the call of the app's function for a request: undefined without a function, null if it is no request. */
  private functionFor(type: unknown, members: Json): (() => unknown) | undefined | null {
    const hooks = this.around.hooks();
    const { onPermission, onPurchase, onRestore, onProducts, onSignup, onStep, onAction, onRating } = hooks;
    const named = (name: string) => text(members[name]);
    switch (type) {
      case "step": {
        const screen = this.around.screen(named("screenId")) as Screen;
        const given = { screen, answers: object(members.answers), next: named("next") || null };
        return onStep && (() => onStep(given));
      }
      case "action":
        return onAction && (() => onAction({ name: named("name"), data: object(members.data) }));
      case "permission":
        return onPermission && (() => onPermission(named("permission")));
      case "purchase":
        return onPurchase && (() => onPurchase({ productId: named("productId") }));
      case "restore":
        return onRestore && (() => onRestore());
      case "rating":
        return onRating && (() => onRating());
      case "products":
        return onProducts && (() => onProducts(list(members.productIds) as string[]));
      case "signup":
        return (
          onSignup &&
          (() => onSignup({ method: named("method"), fields: object(members.fields) as Record<string, string> }))
        );
      default:
        return null;
    }
  }

  /** Answer a request by a function of the app. One that is missing or fails is no consent, and is told at once. */
  private ask(id: number, run: (() => unknown) | undefined): void {
    const unhandled = { handled: false };
    if (!run) {
      this.reply(id, unhandled);
      return;
    }
    const failed = (error: unknown) => {
      this.warn(FAILED, error);
      this.reply(id, unhandled);
    };
    const answered = (value: unknown) => {
      const named = Array.isArray(value) ? { products: value } : object(value);
      this.reply(id, typeof value === "string" ? { result: value } : named);
    };
    try {
      Promise.resolve(run()).then(answered, failed);
    } catch (error) {
      failed(error);
    }
  }

  /** Draw a screen of the app over the page, until the page tells of another screen. */
  private draw(id: number, given: Pick<NativeScreen, "screenId" | "name" | "data" | "answers">): void {
    if (!this.around.draws(given.name)) {
      this.reply(id, { handled: false });
      return;
    }
    this.drawn = id;
    const here = (action: () => void) => {
      if (this.drawn === id && this.current.native && !this.isOver) {
        action();
      }
    };
    const answer = (reply: Json, notice = "") =>
      here(() => {
        this.change({ notice });
        this.reply(id, reply);
      });
    const native: NativeScreen = {
      ...given,
      done: (values) => answer({ done: true, set: plain(values) }),
      back: () => answer({ back: true }),
      fail: (message) => answer({ fail: String(message) }, String(message)),
    };
    this.change({ native, notice: "" });
  }

  private reply(re: number, members: Json): void {
    this.tell({ re, ...members });
  }

  private tell(members: Json): void {
    if (this.isOver) {
      return;
    }
    try {
      const message = JSON.stringify({ v: VERSION, ...members });
      const refused = JSON.stringify({ v: VERSION, re: members.re, handled: false });
      this.send?.(message.length > MAX_SENT ? refused : message);
    } catch (error) {
      this.warn(FAILED, error);
    }
  }

  private openUrl(url: string): void {
    if (/^https:\/\//i.test(url)) {
      const { onOpenUrl } = this.around.hooks();
      this.call(() => onOpenUrl?.(url));
    }
  }

  private pending(events: unknown): void {
    this.around.pending(list(events).map(object));
  }

  private notify(event: PageEvent): void {
    const { onEvent } = this.around.hooks();
    this.call(() => onEvent?.(event));
  }

  /** Call a function of the app without waiting for its result. */
  private call(run: () => unknown): void {
    const failed = (error: unknown) => this.warn(FAILED, error);
    try {
      Promise.resolve(run()).catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  private end(end: PageEnd): void {
    if (!this.isOver) {
      this.isOver = true;
      this.stopWaiting();
      this.change(NO_NATIVE);
      this.settle(end);
    }
  }

  private warn(message: string, detail?: unknown): void {
    try {
      this.around.warn(message, detail);
    } catch {
      // A logger that fails is the app's affair.
    }
  }

  /** A stored page may have no address, and the view opens no other document without one. */
  private isOwn(address: string): boolean {
    const base = /^(https?:\/\/.*?\/s\/[^/?#]+\/onboarding\/)/.exec(this.around.page.url)?.[1];
    return (base !== undefined && address.startsWith(base)) || address.startsWith("about:");
  }

  private change(changes: Partial<PageState>): void {
    this.current = { ...this.current, ...changes };
    for (const listener of this.listeners) {
      listener();
    }
  }
}

/** Return how a page has ended that told nothing of it. */
export function endOf(outcome: PageEnd["outcome"], error?: string): PageEnd {
  return { outcome, answers: {}, variables: {}, ...(error && { error }) };
}

function parsed(content: string): Json {
  try {
    return object(JSON.parse(content));
  } catch {
    return {};
  }
}

/** Return an object that is written as one, and an empty one for events of presses and the like. */
export function plain(values: unknown): Json {
  const given = object(values);
  return Object.getPrototypeOf(given) === Object.prototype ? given : {};
}
