/** The options of renderers, and the result of a shown flow. */

import type { Json } from "@onboarding/flow/json";
import type { Onboarding } from "../onboarding";
import type { Request } from "../session";
import type { Attributes, OnboardingEvent, Resolution, Screen } from "../types";

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
  /** Go on. The values become answers, or attributes by their full names. An event of a click is none. */
  done(values?: object): void;
  /** Go to the screen before. */
  back(): void;
  /** Show a text, and keep the screen. */
  fail(message: string): void;
}

/** What a step hook gets: the present screen, the answers by their keys, and the id of the next screen, null at the end. */
export interface StepOfFlow {
  screen: Screen;
  answers: Json;
  next: string | null;
}

/** Where a flow goes: on, nowhere, or to a screen. `set` has attributes and answers by their full names. */
export interface StepReply {
  go: "next" | "stay" | (string & {});
  message?: string;
  set?: Json;
}

/**
 * What the app does in a flow. A function that fails or is missing grants and buys nothing, and lets no required screen
 * pass.
 */
export interface Hooks {
  /** Asked before a screen with `await_app` goes on. */
  onStep?: ((step: StepOfFlow) => Promise<StepReply> | StepReply) | undefined;
  /** Called for a button with an action of the app's own. */
  onAction?: ((action: { name: string; data: Json }) => Promise<unknown> | unknown) | undefined;
  onPermission?: ((permission: string) => Promise<unknown> | unknown) | undefined;
  onRating?: (() => Promise<unknown> | unknown) | undefined;
  onPurchase?: ((purchase: { productId: string }) => Promise<unknown> | unknown) | undefined;
  onRestore?: (() => Promise<unknown> | unknown) | undefined;
  /** Gets what is typed into a sign-up, which goes nowhere else. `ok` is success. Without it the page shows no fields. */
  onSignup?: ((signup: { method: string; fields: Record<string, string> }) => Promise<unknown> | unknown) | undefined;
  /** Called with each event of the visit. */
  onEvent?: ((event: OnboardingEvent) => void) | undefined;
}

/** A resolution with a flow. */
export type Shown = Extract<Resolution, { status: "flow" }>;

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

/** Ask the app. Return null where it has no function for it. */
export function askApp(
  hooks: Omit<Hooks, "onEvent">,
  request: Request,
  screen: Screen | null,
): Promise<unknown> | null {
  const { onPermission, onPurchase, onSignup, onRating, onRestore, onStep, onAction } = hooks;
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
    case "action":
      return onAction ? asked(onAction({ name: request.name, data: request.data })) : null;
    case "step":
      return onStep && screen ? asked(onStep({ screen, answers: request.answers, next: request.next })) : null;
    default:
      return null;
  }
}

/** Return the flow for this device, or the result where none is shown. Never rejected. */
export async function shownFlow(
  client: Onboarding,
  { once, attributes, locale, resolution }: Omit<ShowOptions, keyof Hooks>,
): Promise<Shown | OnboardingResult> {
  try {
    const found = resolution ?? (await client.resolve({ attributes, locale }));
    if (found.status === "none") {
      return resultOf("none");
    }
    return once && client.outcomeOf(found.flowId) === "completed" ? resultOf("already_completed", found) : found;
  } catch (error) {
    return failed(error);
  }
}
