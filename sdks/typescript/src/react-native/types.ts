/** What the app, a page and the view of the page know of each other. */

import type { Json } from "@onboarding/flow/json";
import type { Hooks, NativeScreen } from "../web/options";

/** What a page tells of the visit. The page has reported it: the SDK reports no event of its own. */
export interface PageEvent {
  eventType: "flow_started" | "screen_viewed" | "flow_completed" | "flow_skipped";
  screenId?: string;
}

/** A product as the store of the phone has it, with its price as text. */
export interface StoreProduct {
  productId: string;
  price: string;
  pricePerMonth?: string;
  period?: string;
  trial?: string;
}

export interface PageHooks extends Omit<Hooks, "onEvent"> {
  onEvent?: ((event: PageEvent) => void) | undefined;
  /** Return the products of the store, whose prices a paywall shows. */
  onProducts?: ((productIds: string[]) => Promise<StoreProduct[]> | StoreProduct[]) | undefined;
  /** Opens an address outside of the flow. */
  onOpenUrl?: ((url: string) => unknown) | undefined;
}

/** How a page has ended. `error` has the reason why it showed no flow to its end. */
export interface PageEnd {
  outcome: "completed" | "skipped" | "none" | "error";
  answers: Json;
  variables: Json;
  error?: string;
}

export interface PageState {
  /** Whether the page may be seen. */
  isPainted: boolean;
  /** Whether the screen is dark, so that the text of the status bar is light. */
  isDark: boolean;
  /** The screen that the app draws over the page. */
  native: NativeScreen | null;
  /** Why the app keeps its screen; empty if it does not say. */
  notice: string;
}

/** The surroundings of a page. */
export interface Around {
  /** The address of the page. Messages of other addresses, and other origins in the view, are refused. A stored page has none. */
  page: { url: string; html?: string };
  hooks(): PageHooks;
  /** Return whether the app draws the native screen of a name. */
  draws(name: string): boolean;
  /** Return the screen of the flow with an id. */
  screen(id: string): unknown;
  /** Keep the events that the service has not confirmed to the page. */
  pending(events: Json[]): void;
  after(milliseconds: number, run: () => void): () => void;
  warn(message: string, detail?: unknown): void;
}
