/** The providers in the unmodified SDKs of OpenFeature, and the client for tests of apps. */

import { OpenFeature as Server } from "@openfeature/server-sdk";
import { OpenFeature as Web } from "@openfeature/web-sdk";
import { expect, it } from "vitest";
import { createOnboarding, memoryStorage } from "../src/index";
import { serverProvider, webProvider } from "../src/openfeature";
import { createFakeOnboarding, createFlow, createScreen } from "../src/testing";
import { FLOW } from "./fakeService";

const CONFIG = {
  ...{ projectId: "p", name: "App", configVersion: 3, experiments: [], themes: [] },
  settings: { platforms: ["ios", "android"] },
  flows: [
    {
      ...{ ...FLOW, id: "flow_pro", status: "active", isDefault: false },
      targeting: { percentage: 100, conditions: [{ attribute: "attributes.plan", operator: "eq", value: "pro" }] },
    },
    { ...FLOW, status: "active", isDefault: true, targeting: { percentage: 100, conditions: [] } },
  ],
};

it("gives the flags of the device to the web SDK, online and offline, and sends tracked events", async () => {
  const flow = createFlow([createScreen("welcome", { title: "Hi" }), createScreen("paywall", { products: [] })]);
  const fake = createFakeOnboarding({ flow, experimentId: "exp_1", variant: "b" });
  await Web.setProviderAndWait(webProvider(fake.onboarding), { plan: "pro", locale: "de" });
  const client = Web.getClient();
  expect(client.getBooleanDetails("onboarding.enabled", false)).toMatchObject({
    value: true,
    reason: "SPLIT",
    variant: "b",
  });
  expect(client.getStringValue("onboarding.flow-id", "")).toBe("flow_1");
  expect(client.getObjectValue("onboarding", {})).toMatchObject({ flowId: "flow_1", assignment: { variant: "b" } });
  expect(client.getStringDetails("onboarding.variant", "").flagMetadata).toMatchObject({
    ...{ source: "experiment", experimentId: "exp_1", variant: "b", origin: "network", exposureRecorded: true },
  });
  expect(client.getNumberDetails("onboarding.enabled", 7)).toMatchObject({ value: 7, errorCode: "TYPE_MISMATCH" });
  expect(client.getBooleanDetails("other", true)).toMatchObject({ value: true, errorCode: "FLAG_NOT_FOUND" });
  client.track("purchase", { value: 9.99, currency: "EUR" });
  await fake.onboarding.flush();
  expect(fake.events).toMatchObject([{ eventType: "purchase", properties: { amount: 9.99, currency: "EUR" } }]);

  fake.setOnline(false);
  await Web.setContext({ plan: "free" });
  expect(client.getBooleanDetails("onboarding.enabled", false)).toMatchObject({
    ...{ value: true, flagMetadata: { origin: "stored", exposureRecorded: false } },
  });
  fake.setOnline(true);
  fake.setFlow(null);
  await Web.setContext({});
  expect(client.getBooleanDetails("onboarding.enabled", true)).toMatchObject({ value: false, reason: "DISABLED" });
});

it("decides for each device on a server without the service, and tracks by the device", async () => {
  const sent: string[] = [];
  const onboarding = createOnboarding({
    ...{ baseUrl: "http://127.0.0.1:9", projectId: "p", secretKey: "s", bundled: CONFIG, storage: memoryStorage() },
    fetch: () => Promise.reject(new Error("offline")),
    onEvent: ({ deviceId }) => sent.push(deviceId),
  });
  await Server.setProviderAndWait(serverProvider(onboarding));
  const client = Server.getClient();
  const details = (context: object) => client.getStringDetails("onboarding.flow-id", "", context as never);
  expect(await details({ targetingKey: "a", plan: "pro" })).toMatchObject({
    value: "flow_pro",
    reason: "TARGETING_MATCH",
  });
  expect(await details({ targetingKey: "b", attributes: { plan: "pro" } })).toMatchObject({ value: "flow_pro" });
  expect(await details({ targetingKey: "c" })).toMatchObject({ value: "flow_1", reason: "STATIC" });
  expect(await details({ targetingKey: "c", platform: "ios" })).toMatchObject({ value: "flow_1" });
  expect(await details({})).toMatchObject({ value: "", errorCode: "TARGETING_KEY_MISSING" });
  client.track("purchase", { targetingKey: "a" }, { value: 3 });
  expect(sent).toEqual(["a"]);
});
