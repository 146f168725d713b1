/** The page that a renderer of pages keeps for starts without the service. */

import { expect, it } from "vitest";
import { createOnboarding, Onboarding } from "../src/onboarding";
import { FakeClock, FakeService, options, resolved, settled, storageOn } from "./fakeService";

const PAGE = "/s/ticket/onboarding/flow_1/1";
const HTML = '<!doctype html><html><body data-stored><div id="app"></div></body></html>';

function opened(html = HTML, values = new Map<string, string>()) {
  const service = new FakeService();
  service.replies["/api/onboarding/resolve"] = () => resolved();
  service.replies["/api/config"] = () => ({ status: 503 });
  service.replies["/api/global-config"] = () => ({
    status: 200,
    body: { backendDomain: "https://pages.example.com/s/ticket" },
  });
  service.replies[PAGE] = () => ({ status: 200, text: html });
  const client = createOnboarding(options(service, { storage: storageOn(values, true) }));
  client.warm = (resolution) => client.keepPage(resolution);
  const asked = () => service.sent.filter(({ path }) => path.includes("stored=1"));
  return { client, service, values, asked };
}

it("keeps the page of a resolved flow once, and gives it the address of the device", async () => {
  const { client, asked } = opened();
  await client.preload();
  expect(asked()).toHaveLength(1);
  expect(asked()[0]?.path).toMatch(/^\/s\/ticket\/onboarding\/flow_1\/1\?deviceId=/);
  await settled();
  await client.preload();
  expect(asked()).toHaveLength(1);
  const page = await client.storedPage("flow_1", { attributes: { plan: 'a"b' } });
  expect(page?.url).toMatch(/^https:\/\/edge\.example\.com\/.*\/s\/stored\/onboarding\/flow_1\/1\?.*&bridge=2$/);
  expect(page?.html).toBe(HTML.replace("data-stored", `data-stored="${page?.url}"`));
  expect(await client.storedPage("flow_2")).toBeNull();
});

it("takes no page that is not whole, or not of the service", async () => {
  for (const html of [HTML.slice(0, -9), "<!doctype html><body>Sign in to this network</body></html>"]) {
    const { client } = opened(html);
    await client.preload();
    await settled();
    expect(await client.storedPage("flow_1")).toBeNull();
  }
});

it("forgets the page with a reset", async () => {
  const { client, values } = opened();
  await client.preload();
  await settled();
  expect(values.get("doorstep.p.page")).toContain("data-stored");
  client.reset();
  await settled();
  expect(values.get("doorstep.p.page")).toBe("");
});

it("has no page where storage fails or does not answer", async () => {
  const { service } = opened();
  const clock = new FakeClock();
  const hanging = { get: () => new Promise<string>(() => {}), set: () => {}, remove: () => {} };
  const waiting = new Onboarding(options(service, { storage: hanging }), clock).storedPage("flow_1");
  await clock.pass(1_000);
  expect(await waiting).toBeNull();
  const failing = () => {
    throw new Error("Full");
  };
  const client = new Onboarding(options(service, { storage: { get: failing, set: failing, remove: failing } }), clock);
  expect(await client.storedPage("flow_1")).toBeNull();
});
