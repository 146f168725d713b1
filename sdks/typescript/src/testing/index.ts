/** For the tests of apps: a client whose service is in memory. All but the service is the real client. */

import { type Json, list, object } from "@onboarding/flow/json";
import { createOnboarding, type Onboarding } from "../onboarding";
import { memoryStorage } from "../storage";
import type { Flow, OnboardingEvent, Options, Screen, Source } from "../types";

export interface FakeOptions extends Partial<Options> {
  /** The flow that the service returns; null for none. */
  flow?: Flow | null;
  source?: Source;
  experimentId?: string;
  variant?: string;
}

export interface FakeOnboarding {
  onboarding: Onboarding;
  /** The events that the service has received. */
  readonly events: OnboardingEvent[];
  /** Return another flow from now on. */
  setFlow(flow: Flow | null): void;
  /** Take the network away, or give it back. */
  setOnline(isOnline: boolean): void;
}

/** Return a screen with a content. */
export function createScreen<Type extends Screen["type"]>(
  type: Type,
  content: Extract<Screen, { type: Type }>["content"] = {} as never,
  changes: Partial<Pick<Screen, "id" | "settings" | "showIf" | "next">> = {},
): Screen {
  return { id: `screen_${type}`, type, content, settings: {}, ...changes } as unknown as Screen;
}

/** Return a flow with these screens. */
export function createFlow(screens: Screen[] = [createScreen("welcome", { title: "Welcome" })], id = "flow_1"): Flow {
  return { id, name: "A flow", theme: null, screens };
}

/** Return a client over a service in memory. Its clock is the real one; `flush` sends at once. */
export function createFakeOnboarding(given: FakeOptions = {}): FakeOnboarding {
  const { flow = createFlow(), source, experimentId = null, variant = null, ...options } = given;
  const events: OnboardingEvent[] = [];
  let [shown, isOnline] = [flow, true];
  const replyTo = (url: string, body: Json): [number, Json] => {
    if (url.includes("/api/analytics/")) {
      const received = list(body.events) as OnboardingEvent[];
      events.push(...received);
      const results = received.map(({ eventId }) => ({ eventId, status: "accepted" }));
      return [200, { success: true, accepted: results.length, rejected: 0, results }];
    }
    if (!url.includes("/onboarding/resolve") || !shown) {
      return [404, { success: false, code: "INVALID_FLOW", error: "", details: [] }];
    }
    const token = variant ? "token" : null;
    const assignment = { source: source ?? (variant ? "experiment" : "default"), experimentId, variant, token };
    return [200, { flowId: shown.id, projectId: "proj_1", flow: shown, assignment, configVersion: 1 }];
  };
  const send = async (url: unknown, init: RequestInit = {}) => {
    if (!isOnline) {
      throw new TypeError("The fake service is offline.");
    }
    const [status, body] = replyTo(String(url), object(JSON.parse(String(init.body ?? "{}"))));
    const content = JSON.stringify(body);
    return { status, headers: { get: () => null }, text: async () => content };
  };
  const standard = { baseUrl: "https://edge.example.com", projectId: "proj_1", secretKey: "key" };
  const fetch = send as unknown as typeof globalThis.fetch;
  return {
    onboarding: createOnboarding({ ...standard, storage: memoryStorage(), fetch, ...options }),
    events,
    setFlow(next) {
      shown = next;
    },
    setOnline(next) {
      isOnline = next;
    },
  };
}
