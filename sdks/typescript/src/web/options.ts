/** The options of renderers, and the result of a shown flow. */

import type { Json } from "@onboarding/flow/json";
import type { Request } from "../session";
import type { Attributes, OnboardingEvent, Resolution } from "../types";

/** How a shown flow ended; the promise of it is never rejected. */
export interface OnboardingResult {
  outcome: "completed" | "skipped" | "none" | "already_completed" | "error";
  answers: Json;
  variables: Json;
  flowId: string | null;
  variant: string | null;
  error?: string;
}

/** A screen of type `native`, which the app draws. */
export interface NativeScreen {
  screenId: string;
  name: string;
  data: Json;
  answers: Json;
  /** Go on. */
  done(): void;
  /** Go to the screen before. */
  back(): void;
  /** Show a text, and keep the screen. */
  fail(message: string): void;
}

/**
 * What the app does in a flow. A function that fails grants and buys nothing. Without `onPurchase` the flow goes on, and
 * the answer of a paywall is the product that was chosen.
 */
export interface Hooks {
  onPermission?: ((permission: string) => Promise<unknown> | unknown) | undefined;
  onRating?: (() => Promise<unknown> | unknown) | undefined;
  onPurchase?: ((purchase: { productId: string }) => Promise<unknown> | unknown) | undefined;
  onRestore?: (() => Promise<unknown> | unknown) | undefined;
  /** Gets what is typed into a sign-up, which goes nowhere else. Without it the page shows no fields. */
  onSignup?: ((signup: { method: string; fields: Record<string, string> }) => Promise<unknown> | unknown) | undefined;
  /** Called with each event of the visit. */
  onEvent?: ((event: OnboardingEvent) => void) | undefined;
}

export interface ShowOptions extends Hooks {
  /** Do not show a flow that this device has completed. */
  once?: boolean | undefined;
  attributes?: Attributes | undefined;
  locale?: string | undefined;
  /** A flow that was resolved before. */
  resolution?: Resolution | undefined;
}

export function resultOf(outcome: OnboardingResult["outcome"], known?: Resolution | null): OnboardingResult {
  const { flowId = null, variant = null } = known ?? {};
  return { outcome, answers: {}, variables: {}, flowId, variant };
}

export function failed(error: unknown, known?: Resolution | null): OnboardingResult {
  return { ...resultOf("error", known), error: error instanceof Error ? error.message : String(error) };
}

/** Ask the app. Return null where it has no function for it; the flow goes on at once then. */
export function askApp(hooks: Hooks, request: Request): Promise<unknown> | null {
  const { onPermission, onPurchase, onSignup, onRating, onRestore } = hooks;
  const asked = (answer: unknown) => Promise.resolve(answer);
  switch (request.type) {
    case "permission":
      return onPermission ? asked(onPermission(request.permission)) : null;
    case "purchase":
      return onPurchase ? asked(onPurchase({ productId: request.productId })) : null;
    case "signup":
      return onSignup ? asked(onSignup({ method: request.method, fields: request.fields })) : null;
    case "rating":
      return onRating ? asked(onRating()) : null;
    case "restore":
      return onRestore ? asked(onRestore()) : null;
    default:
      return null;
  }
}
