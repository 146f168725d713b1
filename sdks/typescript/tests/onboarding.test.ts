/** The client in its surroundings: links, pages, attributes, and the events of a browser and its tabs. */

import { afterEach, expect, it, vi } from "vitest";
import { memoryStorage, Onboarding } from "../src/index";
import type { Options } from "../src/types";
import { FakeClock, type FakeReply, FakeService, FLOW, options, resolved, settled, storageOn } from "./fakeService";

afterEach(() => {
  vi.unstubAllGlobals();
});

function started(changes: Partial<Options> = {}) {
  const service = new FakeService();
  const clock = new FakeClock();
  const client = new Onboarding(options(service, { storage: memoryStorage(), ...changes }), clock);
  return { service, clock, client };
}

it.each([
  ["https://edge.example.com/s/ticket/onboarding/flow_1/1", true],
  ["https://edge.example.com/s/ticket/onboarding/flow_1/1?locale=de", true],
  ["https://flows.example.org/s/ticket/onboarding/flow_1/1", true],
  ["https://edge.example.com.evil.example/s/ticket/onboarding/flow_1/1", false],
  ["https://evil.example/?https://edge.example.com/s/ticket/onboarding/flow_1/1", false],
  ["https://edge.example.com/api/config", false],
  ["myapp://settings", false],
  ["", false],
])("takes preview links of its own service alone: %s is %s", (url, isTaken) => {
  const settings = { platforms: ["ios"], customDomain: "flows.example.org" };
  const { client } = started({ bundled: { configVersion: 1, settings, flows: [], experiments: [] } });
  const changes: string[] = [];
  client.subscribe((change) => changes.push(change));
  expect(client.handleLink(url)).toBe(isTaken);
  expect([client.link, changes]).toEqual(isTaken ? [url, ["link"]] : [null, []]);
});

it("has the address of the hosted page with the context of the device, and none without the service", async () => {
  const { service, client } = started({ platform: "ios", attributes: { plan: "pro" }, locale: "de", timeoutMs: 1 });
  service.replies["/api/global-config"] = () => Promise.reject(new Error("offline"));
  expect(await client.page("flow_1")).toBeNull();
  service.replies["/api/global-config"] = () => ({ status: 200, body: { backendDomain: "https://e.example/s/t" } });
  const address = new URL((await client.page("flow_1")) ?? "");
  expect(address.origin + address.pathname).toBe("https://e.example/s/t/onboarding/flow_1/1");
  expect(Object.fromEntries(address.searchParams)).toEqual({
    ...{ deviceId: client.device().deviceId, platform: "ios", locale: "de", bridge: "2" },
    attributes: '{"plan":"pro"}',
  });
  expect(service.events).toEqual([]);
});

it("asks for the address of pages again after a day, because its ticket ends", async () => {
  const { service, clock, client } = started();
  const tickets = ["one", "two", "three"];
  service.replies["/api/global-config"] = () => ({
    status: 200,
    body: { backendDomain: `https://e.example/s/${tickets.shift()}` },
  });
  const ticket = async () => /s\/(\w+)/.exec((await client.page("flow_1")) ?? "")?.[1];
  expect([await ticket(), await ticket()]).toEqual(["one", "one"]);
  await clock.pass(24 * 3_600_000 + 1);
  expect(await ticket()).toBe("two");
});

it("preloads the flow and the configuration, for a start without the network", async () => {
  const { service, client } = started();
  const settings = { platforms: ["ios"] };
  service.replies["/api/onboarding/resolve"] = () => resolved();
  service.replies["/api/config"] = () => ({
    status: 200,
    body: { configVersion: 1, settings, flows: [], experiments: [] },
  });
  await client.preload();
  expect([client.resolution?.flowId, client.config?.configVersion]).toEqual(["flow_1", 1]);
});

it("sends attributes of the app, of the user and of the call with a resolve, and leaves out what the service refuses", async () => {
  const { service, client } = started({ attributes: { plan: "free", nested: {} as never, long: "x".repeat(2_000) } });
  service.replies["/api/onboarding/resolve"] = () => resolved();
  client.setAttributes({ plan: "pro", trial: true });
  client.setAttributes({ trial: undefined });
  client.identify("user_1");
  await client.resolve({ attributes: { coins: 3 }, locale: "not a tag" });
  expect(service.sent[0]?.body).toEqual({
    ...{ deviceId: client.device().deviceId, attributes: { plan: "pro", user_id: "user_1", coins: 3 } },
  });
});

it("sends events when the page is hidden, in a request that outlives it, and when the browser is online again", async () => {
  const page = new EventTarget() as EventTarget & { visibilityState: string };
  const tab = new EventTarget();
  vi.stubGlobal("document", page);
  vi.stubGlobal("addEventListener", tab.addEventListener.bind(tab));
  vi.stubGlobal("removeEventListener", tab.removeEventListener.bind(tab));
  const keepalive: unknown[] = [];
  const service = new FakeService();
  const fetch = ((url: string, init: RequestInit) => {
    keepalive.push(init.keepalive);
    return service.fetch(url, init);
  }) as typeof globalThis.fetch;
  const { client } = started({ fetch });
  page.visibilityState = "hidden";
  client.track("opened");
  page.dispatchEvent(new Event("visibilitychange"));
  await settled();
  client.track("opened");
  tab.dispatchEvent(new Event("online"));
  await settled();
  expect(keepalive).toEqual([true, false]);
  client.track("opened");
  client.close();
  await settled();
  client.track("opened");
  page.dispatchEvent(new Event("visibilitychange"));
  await settled();
  expect(service.events).toHaveLength(3);
});

it("sends from one tab at a time, and does not wait for ever for another tab", async () => {
  const tabs: { run: () => Promise<unknown> }[] = [];
  const request = (name: string, { signal }: { signal: AbortSignal }, run: () => Promise<unknown>) =>
    new Promise((done, fail) => {
      // A client of another test may still send.
      if (name !== "doorstep.tabs") {
        done(run());
        return;
      }
      tabs.push({ run: () => run().then(done) });
      signal.addEventListener("abort", () => fail(new Error("aborted")));
    });
  vi.stubGlobal("document", {});
  vi.stubGlobal("navigator", { locks: { request } });
  const values = new Map<string, string>();
  const { service, clock, client } = started({ storage: storageOn(values), projectId: "tabs" });
  const other = new Onboarding(options(service, { storage: storageOn(values), projectId: "tabs" }), clock);
  client.track("one");
  other.track("two");
  const both = Promise.all([client.flush(), other.flush()]);
  await settled();
  expect([tabs.length, service.sent.length]).toEqual([2, 0]);
  await tabs[0]?.run();
  await tabs[1]?.run();
  await settled();
  while (tabs.length > 2) {
    await tabs.pop()?.run();
    await settled();
  }
  await both;
  // The first tab has sent both events, and the second one found its own gone or sends it again.
  expect(new Set(service.events.map(({ eventId }) => eventId)).size).toBe(2);

  client.track("three");
  void client.flush();
  await clock.pass(10_000);
  expect(service.events.slice(-1)).toMatchObject([{ eventType: "three" }]);
});

it("calls the app for each event, and keeps how flows ended", () => {
  const seen: string[] = [];
  const { client } = started({ onEvent: ({ eventType }) => seen.push(eventType) });
  const session = client.start(FLOW);
  session.forward();
  session.forward();
  expect(seen).toEqual([
    ...["flow_started", "screen_viewed", "screen_completed"],
    ...["screen_viewed", "screen_completed", "flow_completed"],
  ]);
  client.finish("flow_1", "skipped");
  expect(client.outcomeOf("flow_1")).toBe("completed");
});

it("does not take the answer for a device that was reset in the meantime", async () => {
  const { service, client } = started();
  let reply: (value: FakeReply) => void = () => {};
  service.replies["/api/onboarding/resolve"] = () =>
    new Promise<FakeReply>((done) => {
      reply = done;
    });
  const first = client.resolve();
  await settled();
  client.reset();
  reply(resolved());
  expect(await first).toMatchObject({ flowId: "flow_1" });
  service.replies["/api/onboarding/resolve"] = () => Promise.reject(new Error("offline"));
  expect(await client.resolve()).toMatchObject({ status: "none", origin: "offline" });
});
