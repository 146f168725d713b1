/** A service for tests: replies by path, a clock that is turned by hand, and storages that fail. */

import type { Clock, Flow, Json, Options, Storage } from "../src/types";

export interface Sent {
  method: string;
  path: string;
  body: Json | null;
  headers: Record<string, string>;
}

export interface FakeReply {
  status: number;
  body?: unknown;
  /** The content as it is, in place of the body as JSON. */
  text?: string;
  headers?: Record<string, string>;
}

export const FLOW: Flow = {
  id: "flow_1",
  name: "Welcome",
  theme: null,
  screens: [
    { id: "hello", type: "welcome", content: { title: "Hello" }, settings: {} },
    { id: "last", type: "feature", content: { title: "Bye" }, settings: {} },
  ],
};

export function resolved(changes: Json = {}, flow: object = FLOW): FakeReply {
  const assignment = { source: "default", experimentId: null, variant: null, token: null };
  return {
    status: 200,
    body: { flowId: (flow as Flow).id, projectId: "p", flow, assignment, configVersion: 1, ...changes },
  };
}

/** Return the events in a request. */
export function eventsIn({ body }: Sent): Json[] {
  return (body?.events ?? []) as Json[];
}

/** Return the service's reply to a batch: each event is accepted. */
export function accepted(request: Sent): FakeReply {
  const events = eventsIn(request);
  const results = events.map(({ eventId }) => ({ eventId, status: "accepted" }));
  return { status: 200, body: { success: true, accepted: events.length, rejected: 0, results } };
}

export class FakeService {
  readonly sent: Sent[] = [];
  /** Replies by path; a request without one never gets a reply. */
  readonly replies: Record<string, (request: Sent) => FakeReply | Promise<FakeReply>> = {
    "/api/analytics/events": accepted,
  };

  readonly fetch = ((url: string, init: RequestInit = {}) => {
    const { method = "GET", body, headers } = init;
    const path = url.replace(/^https?:\/\/[^/]+/, "");
    const request = {
      ...{ method, path, headers: headers as Record<string, string> },
      body: typeof body === "string" ? (JSON.parse(body) as Json) : null,
    };
    this.sent.push(request);
    const reply = this.replies[path.split("?")[0] ?? ""];
    return reply
      ? Promise.resolve(reply(request)).then(({ status, body: json, text, headers: named }) => {
          const content = status === 304 ? null : (text ?? JSON.stringify(json ?? {}));
          return new Response(content, { status, headers: named ?? {} });
        })
      : new Promise(() => {});
  }) as unknown as typeof fetch;

  /** The events of all batches that were sent. */
  get events(): Json[] {
    return this.sent.flatMap(eventsIn);
  }
}

/** A clock that is turned by hand. */
export class FakeClock implements Clock {
  time = Date.UTC(2026, 10, 28);
  private timers: { at: number; run: () => void }[] = [];

  now(): number {
    return this.time;
  }

  after(milliseconds: number, run: () => void): () => void {
    const timer = { at: this.time + milliseconds, run };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((other) => other !== timer);
    };
  }

  /** Let time pass, with the callbacks of that time in their order. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.time + milliseconds;
    await settled();
    for (;;) {
      const next = this.timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
      if (!next) {
        break;
      }
      this.timers = this.timers.filter((timer) => timer !== next);
      this.time = Math.max(this.time, next.at);
      next.run();
      await settled();
    }
    this.time = end;
  }
}

/** Let all promises go on that wait for nothing but each other. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

export function options(service: FakeService, changes: Partial<Options> = {}): Options {
  return { baseUrl: "https://edge.example.com/", projectId: "p", secretKey: "s", fetch: service.fetch, ...changes };
}

/** Return a storage on a map, at once or by promises. */
export function storageOn(values: Map<string, string>, isAsync = false): Storage {
  const later = <Value>(value: Value) => (isAsync ? new Promise<Value>((done) => setTimeout(done, 0, value)) : value);
  return {
    get: (key) => later(values.get(key) ?? null),
    set: (key, value) => later(void values.set(key, value)),
    remove: (key) => later(void values.delete(key)),
  };
}
