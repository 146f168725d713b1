/** The app's side of a hosted page, with messages as a page sends them. */

import { expect, it, vi } from "vitest";
import { PageHost } from "../src/react-native/host";
import type { PageHooks } from "../src/react-native/types";
import { FakeClock, settled } from "./fakeService";

const BASE = "https://edge.example.com/s/ticket/onboarding/flow_1";
const FLOW = [{ id: "offer", type: "paywall", content: {}, settings: {} }];

function opened(hooks: PageHooks = {}, screens: string[] = [], html?: string) {
  const clock = new FakeClock();
  const sent: Record<string, unknown>[] = [];
  const pending: unknown[] = [];
  const host = new PageHost({
    page: { url: `${BASE}/1?deviceId=d&bridge=2`, ...(html && { html }) },
    hooks: () => hooks,
    draws: (name) => screens.includes(name),
    screen: (id) => FLOW.find((screen) => screen.id === id),
    pending: (events) => pending.push(...events),
    after: (milliseconds, run) => clock.after(milliseconds, run),
    warn: () => {
      throw new Error("A logger may fail.");
    },
  });
  host.connect((text) => sent.push(JSON.parse(text)));
  let last = 0;
  const text = (message: unknown, address = `${BASE}/2`) => host.receive(message, address);
  const json = (type: string, members: object = {}) =>
    text(`onboarding:${JSON.stringify({ v: 2, id: ++last, type, ...members })}`);
  return { host, clock, sent, pending, text, json };
}

const REQUESTS: [string, object][] = [
  ["step", { screenId: "offer", answers: {}, next: null }],
  ["action", { name: "scan", data: {} }],
  ["permission", { permission: "camera" }],
  ["purchase", { productId: "year" }],
  ["restore", {}],
  ["products", { productIds: ["year"] }],
  ["signup", { method: "email", fields: {} }],
  ["native", { screenId: "offer", name: "sign_in", answers: {} }],
];

it.each(REQUESTS)("answers %s without a function at once, and not as consent", (type, members) => {
  const { json, sent, host } = opened();
  json(type, members);
  expect(sent).toEqual([{ v: 2, re: 1, handled: false }]);
  expect(host.state.native).toBeNull();
});

it.each(["throws", "rejects", "answers too much"])("takes a function that %s as none", async (how) => {
  const answer = how === "answers too much" ? { result: "purchased", text: "x".repeat(70_000) } : "purchased";
  const onPurchase = () => {
    if (how === "throws") {
      throw new Error("Shop");
    }
    return how === "rejects" ? Promise.reject(new Error("Shop")) : answer;
  };
  const { json, sent } = opened({ onPurchase });
  json("purchase", { productId: "year" });
  await settled();
  expect(sent).toEqual([{ v: 2, re: 1, handled: false }]);
});

it("gives each request to its function, and answers it once", async () => {
  const asked: unknown[] = [];
  const keep = (reply: unknown) => (given?: unknown) => {
    asked.push(given);
    return reply as never;
  };
  const { json, sent } = opened({
    onStep: keep({ go: "stay", message: "Not yet", set: { "attributes.x": 1 } }),
    onAction: keep(Promise.resolve({ ok: true })),
    onPermission: keep("granted"),
    onPurchase: keep(Promise.resolve("purchased")),
    onRestore: keep({ result: "restored" }),
    onProducts: keep([{ productId: "year", price: "9 €" }]),
    onSignup: keep("ok"),
  });
  for (const [type, members] of REQUESTS.slice(0, 7)) {
    json(type, members);
    await settled();
  }
  expect(sent).toEqual([
    { v: 2, re: 1, go: "stay", message: "Not yet", set: { "attributes.x": 1 } },
    { v: 2, re: 2, ok: true },
    { v: 2, re: 3, result: "granted" },
    { v: 2, re: 4, result: "purchased" },
    { v: 2, re: 5, result: "restored" },
    { v: 2, re: 6, products: [{ productId: "year", price: "9 €" }] },
    { v: 2, re: 7, result: "ok" },
  ]);
  expect(asked).toEqual([
    { screen: FLOW[0], answers: {}, next: null },
    { name: "scan", data: {} },
    "camera",
    { productId: "year" },
    undefined,
    ["year"],
    { method: "email", fields: {} },
  ]);
});

it("takes the strings of a service before bridge 2", () => {
  const hooks = {
    onPermission: vi.fn(),
    onRating: vi.fn(),
    onPurchase: vi.fn(),
    onRestore: vi.fn(),
    onOpenUrl: vi.fn(),
  };
  const onSignup = vi.fn();
  const { text, sent, pending } = opened({ ...hooks, onSignup });
  for (const message of ["request_permission:camera", "request_rating", "purchase:year", "restore_purchases"]) {
    text(message);
  }
  text('signup:{"method":"email","fields":{"email":"a@b.example"}}');
  text("open_url:https://example.com/terms");
  text("open_url:javascript:alert(1)");
  text('pending_events:[{"eventId":"1"}]');
  expect(hooks.onPermission).toHaveBeenCalledWith("camera");
  expect(hooks.onRating).toHaveBeenCalledOnce();
  expect(hooks.onPurchase).toHaveBeenCalledWith({ productId: "year" });
  expect(hooks.onRestore).toHaveBeenCalledOnce();
  expect(onSignup).toHaveBeenCalledWith({ method: "email", fields: { email: "a@b.example" } });
  expect(hooks.onOpenUrl.mock.calls).toEqual([["https://example.com/terms"]]);
  expect([sent, pending]).toEqual([[], [{ eventId: "1" }]]);
});

it("is seen when it has painted, follows the colours of the screen, and ends once", async () => {
  const events: unknown[] = [];
  const { host, text, json, clock } = opened({ onEvent: (event) => events.push(event) });
  json("ready");
  expect(host.state.isPainted).toBe(false);
  text("initial_load_complete");
  text("themeStyle:light");
  await clock.pass(60_000);
  expect(host.state).toMatchObject({ isPainted: true, isDark: true });
  json("screen", { screenId: "offer", step: 1, answers: {} });
  json("end", { outcome: "completed", answers: { name: "Ann" }, variables: { plan: 1 } });
  text("close_pressed");
  host.close();
  expect(await host.result).toEqual({ outcome: "completed", answers: { name: "Ann" }, variables: { plan: 1 } });
  expect(events).toEqual([
    { eventType: "flow_started" },
    { eventType: "screen_viewed", screenId: "offer" },
    { eventType: "flow_completed" },
  ]);
});

it("never hangs: a page that paints nothing, is refused, stops or says nothing at its end", async () => {
  const silent = opened();
  await silent.clock.pass(8_000);
  expect(await silent.host.result).toMatchObject({ outcome: "none", error: "The page cannot be reached." });
  const refused = opened();
  refused.host.unreachable(503);
  expect(await refused.host.result).toMatchObject({ outcome: "error", error: expect.stringContaining("503") });
  const offline = opened();
  offline.host.unreachable();
  expect(await offline.host.result).toMatchObject({ outcome: "none" });
  const stopped = opened();
  stopped.text("initial_load_complete");
  stopped.host.unreachable(404);
  expect([stopped.host.crashed(), stopped.host.crashed()]).toEqual([true, false]);
  expect(await stopped.host.result).toMatchObject({ outcome: "error" });
  const error = opened();
  error.text("close_pressed");
  expect(await error.host.result).toMatchObject({ outcome: "error", error: "No result." });
});

it("ignores garbage, other addresses, other versions and unknown types", () => {
  const { host, text, json, sent } = opened();
  const messages = [
    "",
    "onboarding:",
    "onboarding:{",
    "onboarding:[]",
    'onboarding:{"v":3,"id":1,"type":"end"}',
    "x:y",
  ];
  for (const message of [...messages, "pending_events:{", "signup:[", null, {}, 7, "a".repeat(3_000_000)]) {
    expect(() => text(message)).not.toThrow();
  }
  text("close_pressed", "https://evil.example.com/s/ticket/onboarding/flow_1/1");
  json("hologram");
  json("end".repeat(2));
  expect([sent, host.state.isPainted]).toEqual([[], false]);
  expect(host.allows(`${BASE}/3?x=1`)).toBe(true);
  expect(host.allows("https://edge.example.com/other")).toBe(false);
});

it("draws a screen of the app until the page shows another one, and tells each of its answers", () => {
  const { host, json, text, sent } = opened({}, ["sign_in"]);
  text("initial_load_complete");
  json("screen", { screenId: "login", step: 2, answers: {} });
  json("native", { screenId: "login", name: "sign_in", data: { hint: "Hi" }, answers: { name: "Ann" } });
  const { native } = host.state;
  expect(native).toMatchObject({ screenId: "login", data: { hint: "Hi" }, answers: { name: "Ann" } });
  native?.fail("Wrong password");
  expect(host.state.notice).toBe("Wrong password");
  native?.done({ user: "1" });
  expect(host.state).toMatchObject({ native: { screenId: "login" }, notice: "" });
  json("screen", { screenId: "next", step: 3, answers: {} });
  expect(host.state.native).toBeNull();
  native?.done();
  expect(sent).toEqual([
    { v: 2, re: 2, fail: "Wrong password" },
    { v: 2, re: 2, done: true, set: { user: "1" } },
  ]);
});

it("goes back by the page, by the screen of the app, or not at all on the first screen", () => {
  const { host, json, text, sent } = opened({}, ["sign_in"]);
  expect(host.back()).toBe(false);
  text("initial_load_complete");
  json("screen", { screenId: "a", step: 1, answers: {} });
  expect(host.back()).toBe(false);
  json("screen", { screenId: "b", step: 2, answers: {} });
  expect(host.back()).toBe(true);
  json("native", { screenId: "b", name: "sign_in", answers: {} });
  expect(host.back()).toBe(true);
  host.undraw(new Error("Render"));
  expect(host.state.native).toBeNull();
  host.pause(true);
  host.setAttributes({ plan: "pro" });
  expect(sent).toEqual([
    { v: 2, type: "back" },
    { v: 2, re: 3, back: true },
    { v: 2, re: 3, handled: false },
    { v: 2, type: "pause" },
    { v: 2, type: "attributes", attributes: { plan: "pro" } },
  ]);
});

it("listens to a stored page, which has no address, and does not load it again", () => {
  const { host, text } = opened({}, [], "<html>");
  text("initial_load_complete", "about:blank");
  expect(host.state.isPainted).toBe(true);
  expect(host.crashed()).toBe(false);
});
