/** The types of the interface of the SDK. */

import type { Contents } from "@onboarding/flow/contents";
import type { Json } from "@onboarding/flow/json";

export type { Json } from "@onboarding/flow/json";

/** The rule that chose a flow. */
export type Source = "override" | "experiment" | "targeting" | "default";
/** Where a flow came from: the service, the last answer of the service, a decision on the device, the app's build. */
export type Origin = "network" | "stored" | "offline" | "bundled";
export type Platform = "ios" | "android";
export type Scalar = string | number | boolean;
export type Attributes = Record<string, Scalar>;

export interface Rule {
  id: string;
  when: { attribute: string; operator: string; value?: unknown }[];
  goTo: string;
}

interface AnyScreen<Type, Content> {
  id: string;
  type: Type;
  name?: string | null;
  order?: number;
  content: Content;
  settings: Json;
  showIf?: Rule["when"];
  next?: Rule[];
}

/**
 * The type of a screen that this release of the SDK does not have: a newer service may send one. It is any other name; the
 * form is for TypeScript alone, which can tell it from the known names by it.
 */
export type UnknownType = `unknown:${string}`;
export interface UnknownScreen extends AnyScreen<UnknownType, Json> {}
/** The screens by their types, with their contents as the interface has them. */
export type ScreenOf<Type extends keyof Contents> = AnyScreen<Type, Contents[Type]>;
/** A screen of a flow. Apps that draw screens narrow it by `type`, and draw texts and a button for an unknown one. */
export type Screen = { [Type in keyof Contents]: ScreenOf<Type> }[keyof Contents] | UnknownScreen;

export interface Flow {
  id: string;
  name: string;
  theme: Json | null;
  screens: Screen[];
  variables?: { name: string; formula: string }[];
  /** The language of the texts, in projects with more than one. */
  locale?: string;
  direction?: "ltr" | "rtl";
}

/** The result of a resolve. */
export type Resolution =
  | {
      status: "flow";
      source: Source;
      flow: Flow;
      flowId: string;
      experimentId: string | null;
      variant: string | null;
      origin: Origin;
      configVersion: number;
    }
  | {
      status: "none";
      source: null;
      flow: null;
      flowId: null;
      experimentId: null;
      variant: null;
      origin: Origin;
      configVersion: number;
    };

/** What the service knows of a device. */
export interface Device {
  deviceId: string;
  platform?: Platform;
  appVersion?: string;
  osVersion?: string;
  locale?: string;
  country?: string;
  attributes?: Attributes;
}

/** Keeps texts by their keys, at once or by promises; each process sees its own writes in their order. */
/** It may fail or be full at any time: then the SDK goes on in memory. */
export interface Storage {
  get(key: string): string | null | undefined | Promise<string | null | undefined>;
  set(key: string, value: string): void | Promise<void>;
  remove(key: string): void | Promise<void>;
}

/** Tells the time in Unix milliseconds, which may be wrong, and calls back after a time; the result cancels it. */
/** A callback is never called before `after` has returned. */
export interface Clock {
  now(): number;
  after(milliseconds: number, run: () => void): () => void;
}

/** Keeps events until the service has confirmed them; `add` never fails, and survives the process if storage does. */
/** `flush` ends after finite time: true if nothing waits any more. */
export interface Queue {
  add(event: OnboardingEvent): void;
  flush(): Promise<boolean>;
}

/** An event as the service takes it. */
export interface OnboardingEvent {
  eventId: string;
  eventType: string;
  timestamp: string;
  deviceId: string;
  flowId?: string;
  screenId?: string;
  experimentId?: string;
  variant?: string;
  sessionId?: string;
  platform?: Platform;
  appVersion?: string;
  locale?: string;
  properties?: Json;
}

/** Members of an event that the caller knows. */
export type EventMembers = Partial<Omit<OnboardingEvent, "eventId" | "eventType" | "timestamp">>;

type Value<Type> = Type | (() => Type | undefined) | undefined;

export interface Options {
  /** The address of the edge, such as `https://edge.example.com`. */
  baseUrl: string;
  projectId: string;
  secretKey: string;
  storage?: Storage;
  platform?: Value<Platform>;
  appVersion?: Value<string>;
  osVersion?: Value<string>;
  locale?: Value<string>;
  country?: Value<string>;
  attributes?: Value<Attributes>;
  /** The file that `onboarding bundle` writes. */
  bundled?: unknown;
  /** The time in which `resolve` decides: 2,000 by default. */
  timeoutMs?: number;
  /** Called for each event that the SDK records. */
  onEvent?: (event: OnboardingEvent) => void;
  logger?: { warn(message: string, detail?: unknown): void };
  fetch?: typeof fetch;
  now?: () => number;
  /** For the waits between requests; from 0 to 1, `Math.random` by default. */
  random?: () => number;
}
