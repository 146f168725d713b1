import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Event, EventQueue } from "./events";
import type { TextStore } from "./storage";
import { readJson } from "./storage";

const KEY = "onboarding.events.proj_1";
const COMMON = { deviceId: "device", flowId: "flow_1", sessionId: "session" };

let values: Map<string, string>;
let sent: Event[][];
let status: number;
let headers: Record<string, string>;

function waiting(): Event[] {
  return readJson<Event[]>({ get: (key) => values.get(key) ?? null } as TextStore, KEY, []);
}

function queue(context = ""): EventQueue {
  const store: TextStore = {
    get: (key) => values.get(key) ?? null,
    set: (key, value) => void values.set(key, value),
    remove: (key) => void values.delete(key),
  };
  return new EventQueue("/s/ticket/api/analytics/events", "proj_1", COMMON, context, store);
}

beforeEach(() => {
  vi.useFakeTimers();
  [values, sent, status, headers] = [new Map(), [], 200, {}];
  vi.stubGlobal("fetch", async (_: string, request: RequestInit) => {
    sent.push((JSON.parse(String(request.body)) as { events: Event[] }).events);
    if (status === 0) {
      throw new TypeError("no network");
    }
    return Response.json({ success: true }, { status, headers });
  });
});

afterEach(() => {
  vi.clearAllTimers();
  vi.useRealTimers();
});

describe("the event queue", () => {
  it("sends events together, with the members of all and an id of each, and forgets them when they are confirmed", async () => {
    const events = queue();
    events.add("flow_started");
    events.add("screen_viewed", { screenId: "s1" });
    await vi.runAllTimersAsync();
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject([
      { ...COMMON, eventType: "flow_started" },
      { ...COMMON, eventType: "screen_viewed", screenId: "s1" },
    ]);
    expect(new Set(sent[0]?.map((event) => event.eventId)).size).toBe(2);
    expect(values.get(KEY)).toBe("[]");
  });

  it.each([0, 401, 404, 429, 500, 503])(
    "keeps events after status %i, and repeats them with the same ids",
    async (failure) => {
      status = failure;
      const events = queue();
      events.add("flow_started");
      await vi.advanceTimersByTimeAsync(60);
      await vi.advanceTimersByTimeAsync(2_000);
      expect(sent).toHaveLength(2);
      // The second pause is twice as long.
      await vi.advanceTimersByTimeAsync(2_000);
      expect(sent).toHaveLength(2);
      status = 200;
      await vi.advanceTimersByTimeAsync(2_000);
      expect(new Set(sent.flat().map((event) => event.eventId)).size).toBe(1);
      expect(waiting()).toEqual([]);
    },
  );

  it.each([400, 413, 422])("drops events that the service rejects with %i", async (rejection) => {
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    status = rejection;
    const events = queue();
    events.add("flow_started");
    await vi.runAllTimersAsync();
    expect(sent).toHaveLength(1);
    expect(waiting()).toEqual([]);
  });

  it("sends the events of an earlier visit first", async () => {
    status = 0;
    queue().add("flow_started");
    await vi.advanceTimersByTimeAsync(60);
    vi.clearAllTimers();
    [sent, status] = [[], 200];
    const next = queue();
    next.add("screen_viewed");
    next.start();
    await vi.runAllTimersAsync();
    expect(sent.flat().map((event) => event.eventType)).toEqual(["flow_started", "screen_viewed"]);
  });

  it("sends batches that a browser takes after the end of a page", async () => {
    const events = queue();
    for (let index = 0; index < 60; index += 1) {
      events.add("question_answered", { properties: { answer: "x".repeat(2_000) } });
    }
    await vi.runAllTimersAsync();
    expect(sent.flat()).toHaveLength(60);
    expect(Math.max(...sent.map((batch) => JSON.stringify({ events: batch }).length))).toBeLessThan(64 * 1024);
  });

  it("keeps the newest 500 events", () => {
    const events = queue();
    for (let index = 0; index < 510; index += 1) {
      events.add("screen_viewed", { screenId: String(index) });
    }
    expect(
      waiting()
        .map((event) => event.screenId)
        .filter((id) => id === "9" || id === "10"),
    ).toEqual(["10"]);
    expect(waiting()).toHaveLength(500);
  });

  it("keeps events that are added while a batch is under way", async () => {
    const events = queue();
    events.add("flow_started");
    let answer: (response: Response) => void = () => undefined;
    vi.stubGlobal(
      "fetch",
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    await vi.advanceTimersByTimeAsync(60);
    events.add("screen_viewed");
    answer(Response.json({ success: true }));
    await vi.advanceTimersByTimeAsync(0);
    expect(waiting().map((event) => event.eventType)).toEqual(["screen_viewed"]);
  });

  it("waits as long as the service wants", async () => {
    [status, headers] = [429, { "Retry-After": "30" }];
    const events = queue();
    events.add("flow_started");
    await vi.advanceTimersByTimeAsync(20_000);
    events.add("screen_viewed");
    await vi.advanceTimersByTimeAsync(9_000);
    expect(sent).toHaveLength(1);
    status = 200;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(waiting()).toEqual([]);
  });

  it("gives up a request that stalls, and repeats it", async () => {
    const answers = [new Promise(() => undefined), Promise.resolve(Response.json({ success: true }))];
    const abort = (signal: AbortSignal) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));
    vi.stubGlobal("fetch", (_: string, { signal }: { signal: AbortSignal }) =>
      Promise.race([answers.shift(), abort(signal)]),
    );
    queue().add("flow_started");
    await vi.advanceTimersByTimeAsync(13_000);
    expect(waiting()).toEqual([]);
  });

  it("drops an event that the service never takes, and sends the others", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    vi.stubGlobal("fetch", async (_: string, request: RequestInit) => {
      const { events } = JSON.parse(String(request.body)) as { events: Event[] };
      const isBad = events.some((event) => event.screenId === "bad");
      sent.push(...(isBad ? [] : [events]));
      return Response.json({ success: !isBad }, { status: isBad ? 400 : 200 });
    });
    const events = queue();
    for (const screenId of ["1", "2", "bad", "4"]) {
      events.add("screen_viewed", { screenId });
    }
    events.add("question_answered", { properties: { answer: "x".repeat(70_000) } });
    await vi.runAllTimersAsync();
    expect(sent.flat().map((event) => event.screenId)).toEqual(["1", "2", "4"]);
    expect(waiting()).toEqual([]);
  });

  it("sends the events of each visit with the context of that visit", async () => {
    const urls: string[] = [];
    vi.stubGlobal("fetch", async (url: string) => {
      urls.push(url);
      return Response.json({ success: true });
    });
    queue("appVersion=1").add("flow_started");
    queue("appVersion=2").add("flow_started");
    await vi.runAllTimersAsync();
    expect(urls.map((url) => url.split("?")[1])).toEqual(["appVersion=1", "appVersion=2"]);
  });

  it("sends from a browser that refuses JSON in beacons and in requests that may outlive the page", async () => {
    vi.stubGlobal("fetch", async (_: string, { keepalive }: RequestInit) => {
      if (keepalive) {
        throw new TypeError("Preflight request for request with keepalive specified is currently not supported");
      }
      return Response.json({ success: true });
    });
    const sendBeacon = () => {
      throw new DOMException("sendBeacon() with a Blob whose type is not safelisted is disabled", "SecurityError");
    };
    vi.stubGlobal("navigator", { sendBeacon });
    const events = queue();
    events.start();
    events.add("flow_started");
    window.dispatchEvent(new window.Event("pagehide"));
    const finished = events.finish(1_500);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await finished).toEqual([]);
  });

  it("begins empty where the stored events are damaged", () => {
    for (const damaged of ["{", "{}", "null", '"text"']) {
      values.set(KEY, damaged);
      const events = queue();
      events.add("flow_started");
      expect(waiting()).toHaveLength(1);
    }
  });
});
