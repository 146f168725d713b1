/** `resolve` decides in its time, whatever the service, the network and the storage do. */

import { expect, it } from "vitest";
import { createOnboarding, memoryStorage, Onboarding } from "../src/index";
import type { Options, Storage } from "../src/types";
import { FakeClock, type FakeReply, FakeService, FLOW, options, resolved, settled, storageOn } from "./fakeService";

const RESOLVE = "/api/onboarding/resolve";
const CONFIG = {
  ...{ projectId: "p", name: "App", configVersion: 1, experiments: [] },
  themes: [{ id: "theme_1", name: "Own", isDefault: true, colors: {} }],
  settings: { platforms: ["ios", "android"], defaultFlowId: "flow_1", analyticsEnabled: true, customDomain: null },
  flows: [
    {
      ...FLOW,
      status: "active",
      isDefault: true,
      priority: 1,
      themeId: null,
      targeting: { percentage: 100, conditions: [] },
    },
  ],
};

/** Return a client that has once got a flow, and whose service is gone. */
async function later(service: FakeService, changes: Partial<Options> = {}) {
  const values = new Map<string, string>();
  service.replies[RESOLVE] = () => resolved();
  await createOnboarding(options(service, { storage: storageOn(values) })).resolve();
  const clock = new FakeClock();
  return { clock, client: new Onboarding(options(service, { storage: storageOn(values), ...changes }), clock) };
}

it("returns the flow of the service", async () => {
  const service = new FakeService();
  service.replies[RESOLVE] = () => resolved();
  const client = createOnboarding(options(service, { appVersion: () => "2.1", locale: "pt_BR" }));
  expect(await client.resolve()).toMatchObject({ status: "flow", origin: "network", source: "default", flow: FLOW });
  expect(service.sent[0]?.headers).toMatchObject({ "X-Project-Id": "p", "X-Secret-Key": "s" });
  expect(service.sent[0]?.body).toMatchObject({ appVersion: "2.1", locale: "pt-BR" });
});

const FAULTS: [string, () => FakeReply | Promise<FakeReply>][] = [
  ["never replies", () => new Promise<FakeReply>(() => {})],
  ["cannot be reached", () => Promise.reject(new TypeError("failed to fetch"))],
  [
    "throws",
    () => {
      throw new Error("a defect");
    },
  ],
  ["is a portal", () => ({ status: 200, text: "<html>Sign in to the network</html>" })],
  ["sends half an answer", () => ({ status: 200, text: '{"flowId":"flow_2","flow":{"id":"flow_2","scr' })],
  ["sends a flow without screens", () => ({ status: 200, body: { flowId: "flow_2", flow: { id: "flow_2" } } })],
  ["sends a screen without an id", () => resolved({}, { ...FLOW, id: "flow_2", screens: [{ type: "welcome" }] })],
  ["sends a list", () => ({ status: 200, body: [1, 2] })],
  ["has a portal's 404", () => ({ status: 404, text: "Not Found" })],
  ["rejects the key", () => ({ status: 401, body: { success: false, code: "UNAUTHORIZED", error: "" } })],
  ["is overloaded", () => ({ status: 503, headers: { "Retry-After": "soon" } })],
];

it.each(FAULTS)("returns the last good flow in time when the service %s", async (_, reply) => {
  const service = new FakeService();
  const { clock, client } = await later(service);
  service.replies[RESOLVE] = reply;
  let result: unknown;
  void client.resolve().then((resolution) => {
    result = resolution;
  });
  await clock.pass(2_000);
  expect(result).toMatchObject({ status: "flow", origin: "stored", source: "default", flow: FLOW });
});

it("keeps the answer that comes too late for the next start", async () => {
  const service = new FakeService();
  const { clock, client } = await later(service);
  let reply: (value: FakeReply) => void = () => {};
  service.replies[RESOLVE] = () =>
    new Promise<FakeReply>((done) => {
      reply = done;
    });
  const first = client.resolve();
  await clock.pass(2_000);
  expect(await first).toMatchObject({ origin: "stored", flowId: "flow_1" });
  reply(resolved({}, { ...FLOW, id: "flow_2" }));
  await settled();
  service.replies[RESOLVE] = () => Promise.reject(new Error("offline"));
  expect(await client.resolve()).toMatchObject({ origin: "stored", flowId: "flow_2" });
});

it("decides by the kept configuration, then by the bundled one, then for no flow", async () => {
  const service = new FakeService();
  const values = new Map<string, string>();
  service.replies["/api/config"] = () => ({ status: 200, body: CONFIG, headers: { ETag: '"1"' } });
  const client = new Onboarding(options(service, { storage: storageOn(values), timeoutMs: 10 }), new FakeClock());
  service.replies[RESOLVE] = () => ({ status: 500 });
  await client.preload();
  const theme = { id: "theme_1", name: "Own", colors: {} };
  expect(await client.resolve()).toMatchObject({ origin: "offline", source: "default", flow: { ...FLOW, theme } });

  const bundled = createOnboarding(options(service, { bundled: CONFIG, storage: memoryStorage() }));
  expect(await bundled.resolve()).toMatchObject({ origin: "bundled", source: "default", flowId: "flow_1" });
  const without = createOnboarding(options(service, { bundled: { flows: "garbage" }, storage: memoryStorage() }));
  expect(await without.resolve()).toMatchObject({ status: "none", origin: "offline", flow: null });
});

it("shows a flow that it decides on in the language of the device", async () => {
  const [flow] = CONFIG.flows;
  const screens = [{ ...FLOW.screens[0], localizations: { ar: { "/title": "مرحبا" } } }];
  const settings = { ...CONFIG.settings, locales: ["en", "ar"], defaultLocale: "en", localeAliases: {} };
  const bundled = { ...CONFIG, settings, flows: [{ ...flow, screens }] };
  const service = new FakeService();
  service.replies[RESOLVE] = () => Promise.reject(new Error("offline"));
  const given = { bundled, storage: memoryStorage(), locale: "ar-EG" };
  const client = new Onboarding(options(service, given), new FakeClock());
  const { flow: shown } = await client.resolve();
  expect(shown).toMatchObject({ locale: "ar", direction: "rtl", screens: [{ content: { title: "مرحبا" } }] });
  expect(shown?.screens[0]).not.toHaveProperty("localizations");
  client.track("opened");
  await client.flush();
  expect(service.events).toMatchObject([{ locale: "ar" }]);
});

it("returns no flow when the service has none, and offline too", async () => {
  const service = new FakeService();
  const { client } = await later(service, { bundled: CONFIG });
  service.replies[RESOLVE] = () => ({ status: 404, body: { success: false, code: "INVALID_FLOW", error: "" } });
  expect(await client.resolve()).toMatchObject({ status: "none", origin: "network" });
  service.replies[RESOLVE] = () => Promise.reject(new Error("offline"));
  expect(await client.resolve()).toMatchObject({ status: "none", origin: "stored" });
});

it("stops when its signal is aborted", async () => {
  const { client } = await later(new FakeService());
  const controller = new AbortController();
  const result = client.resolve({ signal: controller.signal });
  controller.abort();
  expect(await result).toMatchObject({ status: "flow", origin: "stored" });
});

const fails = () => {
  throw new Error("full");
};
const hangs = () => new Promise<never>(() => {});
const STORAGES: [string, Storage][] = [
  ["throws", { get: fails, set: fails, remove: fails }],
  ["rejects", { get: async () => fails(), set: async () => fails(), remove: async () => fails() }],
  ["is full", { get: () => null, set: fails, remove: () => {} }],
  ["hangs", { get: hangs, set: hangs, remove: hangs }],
  ["has garbage", { get: () => '{"version":1,"kept":{"deviceId":7,', set: () => {}, remove: () => {} }],
  ["has the state of a newer release", { get: () => '{"version":2,"kept":{}}', set: () => {}, remove: () => {} }],
  [
    "has half a state",
    { get: () => '{"version":1,"kept":{"deviceId":"a","resolved":7},"events":{}}', set: () => {}, remove: () => {} },
  ],
];

it.each(STORAGES)("resolves and reports with a storage that %s", async (_, storage) => {
  const service = new FakeService();
  service.replies[RESOLVE] = () => resolved();
  const clock = new FakeClock();
  const client = new Onboarding(options(service, { storage }), clock);
  let result: unknown;
  void client.resolve().then((resolution) => {
    result = resolution;
  });
  client.track("opened");
  await clock.pass(7_000);
  expect(result).toMatchObject({ status: "flow", origin: "network" });
  expect(service.events).toMatchObject([{ eventType: "opened" }]);
});

it("does not write over a stored state that arrives late", async () => {
  const service = new FakeService();
  service.replies[RESOLVE] = () => resolved();
  let arrive: (value: string) => void = () => {};
  const written: string[] = [];
  const storage = {
    get: () =>
      new Promise<string>((done) => {
        arrive = done;
      }),
    set: (_: string, value: string) => void written.push(value),
    remove: () => {},
  };
  const clock = new FakeClock();
  const client = new Onboarding(options(service, { storage }), clock);
  void client.resolve();
  client.track("opened");
  await clock.pass(3_000);
  expect(written).toEqual([]);
  arrive('{"version":1,"kept":{"deviceId":"known"},"events":[]}');
  await settled();
  expect(client.device().deviceId).toBe("known");
  expect(written.join()).toContain("known");
});

it("shares one request between calls at the same time", async () => {
  const service = new FakeService();
  service.replies[RESOLVE] = () => resolved();
  const client = createOnboarding(options(service));
  const [one, other] = await Promise.all([client.resolve(), client.resolve()]);
  expect(one).toBe(other);
  expect(service.sent.filter(({ path }) => path === RESOLVE)).toHaveLength(1);
});

it("survives an app whose own functions fail", async () => {
  const service = new FakeService();
  const client = createOnboarding(
    options(service, { locale: fails, attributes: fails, onEvent: fails, logger: { warn: fails }, timeoutMs: 10 }),
  );
  client.subscribe(fails);
  expect(await client.resolve(null)).toMatchObject({ status: "none" });
  client.track("opened");
  client.track("Not a type");
});
