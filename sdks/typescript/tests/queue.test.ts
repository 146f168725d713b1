/** No event is lost, and none is in the way of others. */

import { expect, it } from "vitest";
import { Onboarding } from "../src/index";
import type { Json, Options } from "../src/types";
import {
  accepted,
  eventsIn,
  FakeClock,
  type FakeReply,
  FakeService,
  options,
  type Sent,
  settled,
  storageOn,
} from "./fakeService";

const EVENTS = "/api/analytics/events";

function started(changes: Partial<Options> = {}) {
  const service = new FakeService();
  const clock = new FakeClock();
  const values = new Map<string, string>();
  const open = () =>
    new Onboarding(options(service, { storage: storageOn(values), random: () => 0.5, ...changes }), clock);
  const waiting = () => (JSON.parse([...values.values()][0] ?? "{}") as { events: Json[] }).events;
  return { service, clock, values, open, client: open(), waiting };
}

const sizes = (service: FakeService) => service.sent.map((request) => eventsIn(request).length);
const bodyOf = (service: FakeService) => service.sent[0]?.body as Json;
const error = (status: number, code: string): FakeReply => ({ status, body: { success: false, code, error: "" } });

it("makes id and time when the event happens, and sends the time of sending", async () => {
  const { service, clock, client } = started({ platform: "ios", appVersion: "2.1" });
  client.track("opened", { place: "menu" });
  const at = new Date(clock.now()).toISOString();
  await clock.pass(5_000);
  const { events, sentAt } = bodyOf(service) as { events: Json[]; sentAt: string };
  expect(sentAt).toBe(new Date(clock.now()).toISOString());
  expect(events).toMatchObject([
    {
      eventType: "opened",
      timestamp: at,
      platform: "ios",
      appVersion: "2.1",
      properties: { place: "menu" },
    },
  ]);
  expect(events[0]?.eventId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

it("sends 120 events in batches of 50, one after the other", async () => {
  const { service, client } = started();
  let running = 0;
  service.replies[EVENTS] = async (request) => {
    running += 1;
    expect(running).toBe(1);
    await settled();
    running -= 1;
    return accepted(request);
  };
  for (let count = 0; count < 120; count += 1) {
    client.track("opened");
  }
  await Promise.all([client.flush(), client.flush()]);
  expect(sizes(service)).toEqual([50, 50, 20]);
});

it("keeps the queue over a restart, with ids and times", async () => {
  const { service, clock, client, open, waiting } = started();
  service.replies[EVENTS] = () => Promise.reject(new Error("offline"));
  client.track("opened");
  await client.flush();
  const [before] = waiting();
  client.close();
  service.replies[EVENTS] = accepted;
  open();
  await clock.pass(1);
  expect(service.events.slice(-1)).toEqual([before]);
  expect(waiting()).toEqual([]);
});

it("drops the oldest events of the app first, then others, and never starts and ends", async () => {
  const { client, waiting } = started({ fetch: () => Promise.reject(new Error("offline")) });
  for (let count = 0; count < 300; count += 1) {
    client.track("flow_started", { count });
    client.track("screen_viewed", { count });
    client.track("custom", { count });
    client.track("flow_completed", { count });
  }
  const left = (type: string) => waiting().filter(({ eventType }) => eventType === type);
  expect(waiting()).toHaveLength(1_000);
  expect(left("flow_started").length + left("flow_completed").length).toBe(600);
  expect(left("screen_viewed")).toHaveLength(300);
  expect(left("custom")[0]?.properties).toEqual({ count: 200 });
});

it.each<[string, () => FakeReply | Promise<FakeReply>]>([
  ["a portal", () => ({ status: 200, text: "<html>Sign in</html>" })],
  ["JSON of another service", () => ({ status: 200, body: { ok: true } })],
  ["half an answer", () => ({ status: 200, text: '{"success":true,"results":[{"st' })],
  ["results for fewer events", () => ({ status: 200, body: { success: true, results: [] } })],
  ["a portal's 404", () => ({ status: 404, text: "Not Found" })],
  ["401", () => error(401, "UNAUTHORIZED")],
  ["408", () => error(408, "INVALID_PARAMETER")],
  ["429", () => error(429, "RATE_LIMITED")],
  ["500", () => error(500, "INTERNAL_ERROR")],
  ["no connection", () => Promise.reject(new TypeError("failed"))],
])("keeps events after %s", async (_, reply) => {
  const { service, client, waiting } = started();
  service.replies[EVENTS] = reply;
  client.track("opened");
  await client.flush();
  expect(waiting()).toHaveLength(1);
});

it.each([400, 403, 404, 405, 413, 415, 422])("drops an event that gets %i from the service", async (status) => {
  const { service, client, waiting } = started();
  service.replies[EVENTS] = () => error(status, "SOME_CODE");
  client.track("opened");
  await client.flush();
  expect(waiting()).toHaveLength(status === 403 ? 1 : 0);
});

it.each([400, 413])("halves batches that get %i until the events of the others arrive", async (status) => {
  const { service, client, waiting } = started();
  const isRefused = (request: Sent) => eventsIn(request).some(({ eventType }) => eventType === "bad");
  service.replies[EVENTS] = (request) => (isRefused(request) ? error(status, "SOME_CODE") : accepted(request));
  for (let count = 0; count < 8; count += 1) {
    client.track(count === 5 ? "bad" : "good");
  }
  await client.flush();
  expect(sizes(service)).toEqual([8, 4, 4, 2, 1, 1, 1, 1]);
  expect(waiting()).toEqual([]);
});

it("removes what the service has accepted and what it has rejected", async () => {
  const { service, client, waiting } = started();
  service.replies[EVENTS] = (request) => {
    const [first] = eventsIn(request);
    const results = [
      { eventId: first?.eventId, status: "accepted" },
      { status: "rejected", code: "INVALID_FLOW", error: "" },
    ];
    return { status: 200, body: { success: true, results } };
  };
  client.track("opened");
  client.track("opened");
  await client.flush();
  expect(waiting()).toEqual([]);
});

it("waits with full jitter, longer after each failure, and at least Retry-After", async () => {
  const { service, clock, client } = started();
  const times: number[] = [];
  const start = clock.now();
  service.replies[EVENTS] = () => {
    times.push(clock.now() - start);
    return times.length === 4 ? { ...error(503, "UNAVAILABLE"), headers: { "Retry-After": "60" } } : { status: 502 };
  };
  client.track("opened");
  await clock.pass(200_000);
  const waits = times.map((time, place) => time - (times[place - 1] ?? 0));
  // random() is 0.5: half of 1, 2 and 4 seconds, 60 seconds and half of 8, then half of 16, and at most half of 30.
  expect(waits.slice(0, 8)).toEqual([5_000, 500, 1_000, 2_000, 64_000, 8_000, 15_000, 15_000]);
});

it("sends nothing before the time of Retry-After, also when the app flushes", async () => {
  const { service, clock, client } = started();
  service.replies[EVENTS] = () => ({ ...error(429, "RATE_LIMITED"), headers: { "Retry-After": "60" } });
  client.track("opened");
  await client.flush();
  await client.flush();
  expect(service.sent).toHaveLength(1);
  service.replies[EVENTS] = accepted;
  await clock.pass(91_000);
  expect(service.events).toHaveLength(2);
});

it("ends a request without a reply after ten seconds, and repeats it", async () => {
  const { service, clock, client, waiting } = started();
  service.replies[EVENTS] = () => new Promise<FakeReply>(() => {});
  client.track("opened");
  let isDone = false;
  void client.flush().then(() => {
    isDone = true;
  });
  await clock.pass(10_000);
  expect(isDone).toBe(true);
  service.replies[EVENTS] = accepted;
  await clock.pass(30_000);
  expect(waiting()).toEqual([]);
  expect(new Set(service.events.map(({ eventId }) => eventId)).size).toBe(1);
});

it("reports each of 1,000 events once after an outage", async () => {
  const { service, clock, client, waiting } = started();
  service.replies[EVENTS] = () => Promise.reject(new Error("offline"));
  for (let count = 0; count < 1_000; count += 1) {
    client.track("opened");
  }
  await clock.pass(60_000);
  service.sent.length = 0;
  service.replies[EVENTS] = accepted;
  await clock.pass(60_000);
  expect(service.events).toHaveLength(1_000);
  expect(new Set(service.events.map(({ eventId }) => eventId)).size).toBe(1_000);
  expect(waiting()).toEqual([]);
});

it("has a true time for events after the clock was set, because the service knows the difference", async () => {
  const { service, clock, client } = started();
  clock.time += 3_600_000;
  client.track("opened");
  await clock.pass(5_000);
  const { events, sentAt } = bodyOf(service) as { events: { timestamp: string }[]; sentAt: string };
  expect(Date.parse(sentAt) - Date.parse(events[0]?.timestamp ?? "")).toBe(5_000);
});

it("shares its storage with another tab: no event is lost, and each is in the storage once", async () => {
  const { service, clock, client, open, waiting } = started({ fetch: () => Promise.reject(new Error("offline")) });
  const other = open();
  client.track("one");
  other.track("two");
  client.track("three");
  expect(waiting().map(({ eventType }) => eventType)).toEqual(["one", "two", "three"]);
  expect(client.device().deviceId).toBe(other.device().deviceId);
  const third = new Onboarding(options(service, { storage: client.options.storage }), clock);
  await third.flush();
  other.track("four");
  expect(waiting().map(({ eventType }) => eventType)).toEqual(expect.arrayContaining(["four"]));
  expect(new Set(service.events.map(({ eventId }) => eventId)).size).toBe(3);
});

it("forgets everything on reset", async () => {
  const { client, values } = started({ fetch: () => Promise.reject(new Error("offline")) });
  const before = client.device().deviceId;
  client.setAttributes({ plan: "pro" });
  client.track("opened");
  client.finish("flow_1", "completed");
  client.reset();
  expect(client.device()).toEqual({ deviceId: expect.not.stringContaining(before), locale: expect.anything() });
  expect(client.outcomeOf("flow_1")).toBeNull();
  expect([...values.values()].join()).not.toContain(before);
});
