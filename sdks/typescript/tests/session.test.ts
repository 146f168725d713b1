/** A flow that the app draws: its logic, its texts, its events and its result. */

import { expect, it } from "vitest";
import { Onboarding } from "../src/index";
import type { Flow, Json, Options } from "../src/types";
import { FakeClock, FakeService, FLOW, options, resolved, settled, storageOn } from "./fakeService";

const QUESTIONS = {
  id: "flow_2",
  name: "Plan",
  theme: null,
  variables: [{ name: "double", formula: "answers.weight * 2" }],
  screens: [
    {
      ...{ id: "goal", type: "question_single_choice", settings: {} },
      content: { title: "Your goal, {{attributes.name|friend}}?", options: [{ value: "lose", label: "Lose" }, "Gain"] },
      next: [{ id: "gaining", when: [{ attribute: "answers.goal", operator: "eq", value: "Gain" }], goTo: "done" }],
    },
    { id: "weight", type: "question_picker", content: { picker: "weight" }, settings: { skippable: true } },
    { id: "pay", type: "paywall", content: { products: [{ product_id: "year", label: "A year" }] }, settings: {} },
    { id: "done", type: "welcome", content: { title: "{{variables.double:integer|Nothing}} kg" }, settings: {} },
  ],
} as unknown as Flow;

function started(changes: Partial<Options> = {}) {
  const service = new FakeService();
  const values = new Map<string, string>();
  const clock = new FakeClock();
  const given = { storage: storageOn(values), attributes: { name: "Ada" }, locale: "en", ...changes };
  const open = () => new Onboarding(options(service, given), clock);
  return { service, values, clock, open, client: open() };
}

const types = (service: FakeService) => service.events.map(({ eventType }) => eventType);

it("leads through a flow, and reports each step with the flow and its variant", async () => {
  const { service, client } = started();
  const assignment = { source: "experiment", experimentId: "exp_1", variant: "b", token: "t" };
  service.replies["/api/onboarding/resolve"] = () => resolved({ assignment }, QUESTIONS);
  const resolution = await client.resolve();
  const session = client.start(resolution);
  expect(session.text("title")).toBe("Your goal, Ada?");
  expect(session.text("options.0.label")).toBe("Lose");
  expect(session.forward()).toEqual({ code: "choose" });
  expect(session.answer("lose")).toBeNull();
  expect(session.forward()).toBeNull();
  expect(session.state).toMatchObject({ screenId: "weight", answers: { goal: "lose" }, canGoBack: true });
  expect(session.answer("900")).toMatchObject({ code: "range" });
  expect(session.answer(80)).toBeNull();
  session.forward();
  session.answer("year");
  session.forward();
  expect(session.text("title")).toBe("160 kg");
  session.forward();
  expect(await session.result).toEqual({
    ...{ outcome: "completed", flowId: "flow_2", variant: "b", variables: { double: 160 } },
    answers: { goal: "lose", weight: 80, pay: "year" },
  });
  expect(client.outcomeOf("flow_2")).toBe("completed");
  await settled();
  const step = ["screen_viewed", "question_answered", "screen_completed"];
  const paywall = ["screen_viewed", "paywall_purchase_chosen", "screen_completed"];
  expect(types(service)).toEqual(
    expect.arrayContaining([
      "flow_started",
      ...step,
      ...paywall,
      "screen_viewed",
      "screen_completed",
      "flow_completed",
    ]),
  );
  const [first] = service.events;
  expect(service.events).toSatisfy((events: Json[]) =>
    events.every(
      ({ flowId, experimentId, variant, sessionId }) =>
        flowId === "flow_2" && experimentId === "exp_1" && variant === "b" && sessionId === first?.sessionId,
    ),
  );
});

it("keeps answers on the device unless the project records them", async () => {
  for (const recordAnswers of [undefined, true]) {
    const settings = { platforms: ["ios"], ...(recordAnswers ? { recordAnswers } : {}) };
    const bundled = { configVersion: 1, name: "App", settings, flows: [], experiments: [], themes: [] };
    const { service, client } = started({ bundled });
    const session = client.start(QUESTIONS);
    session.answer("lose");
    await client.flush();
    const answered = service.events.find(({ eventType }) => eventType === "question_answered");
    expect(answered?.properties).toEqual({
      ...{ answer_key: "goal", question_type: "question_single_choice" },
      ...(recordAnswers ? { answer: "lose" } : {}),
    });
  }
});

it("goes on where a killed app has left, and reports the start once", async () => {
  const { service, client, open } = started();
  const session = client.start(QUESTIONS);
  session.answer("lose");
  session.forward();
  const again = open();
  const resumed = again.start(QUESTIONS);
  expect(resumed.state).toMatchObject({ screenId: "weight", answers: { goal: "lose" } });
  await again.flush();
  expect(types(service).filter((type) => type === "flow_started")).toHaveLength(1);
  resumed.end();
  expect(await resumed.result).toMatchObject({ outcome: "skipped" });
  expect(open().start(QUESTIONS).state).toMatchObject({ screenId: "goal", answers: {} });
});

it("follows rules, goes back and passes over screens", () => {
  const { client } = started();
  const session = client.start(QUESTIONS);
  session.answer("Gain");
  session.forward();
  expect(session.state.screenId).toBe("done");
  expect(session.text("title")).toBe("Nothing kg");
  session.back();
  session.skip();
  expect(session.state).toMatchObject({ screenId: "weight", answers: {} });
});

it("asks the app, and waits for it", async () => {
  const { client } = started();
  let answer: (value: unknown) => void = () => {};
  const asked: unknown[] = [];
  const session = client.start(QUESTIONS, (request) => {
    asked.push(request);
    return new Promise((done) => {
      answer = done;
    });
  });
  session.press({ label: "", action: "next", url: "" });
  session.skip();
  session.answer("year");
  session.forward();
  expect(asked).toEqual([{ type: "purchase", productId: "year" }]);
  expect(session.state).toMatchObject({ screenId: "pay", isBusy: true });
  answer("purchased");
  await settled();
  expect(session.state).toMatchObject({ screenId: "done", isBusy: false });
});

it.each([
  ["cancelled", "cancelled", "offer"],
  ["failed", "failed", "done"],
  ["purchased", "year", "done"],
  [undefined, "failed", "done"],
])("leads on by the outcome of a purchase: %s", async (outcome, answer, next) => {
  const { client } = started();
  const offer = [
    { id: "cancelled", when: [{ attribute: "answers.pay", operator: "eq", value: "cancelled" }], goTo: "offer" },
  ];
  const [pay, done] = QUESTIONS.screens.slice(2);
  const last = [done, { ...done, id: "offer" }].map((screen) => ({
    ...screen,
    next: [{ id: "end", when: [], goTo: "end" }],
  }));
  const flow = { ...QUESTIONS, screens: [{ ...pay, next: offer }, ...last] } as unknown as Flow;
  const session = client.start(flow, async () => outcome);
  session.answer("year");
  session.forward();
  await settled();
  expect([session.state.answers, session.state.screenId]).toEqual([{ pay: answer }, next]);
});

it.each<[string, () => Promise<unknown>]>([
  ["rejects", () => Promise.reject(new Error("a defect of the app"))],
  [
    "throws",
    () => {
      throw new Error("a defect of the app");
    },
  ],
])("counts a purchase as failed when the function of the app %s", async (_, ask) => {
  const { client } = started();
  const session = client.start({ ...QUESTIONS, screens: QUESTIONS.screens.slice(2) } as unknown as Flow, ask);
  session.answer("year");
  session.forward();
  await settled();
  expect(session.state).toMatchObject({ answers: { pay: "failed" }, screenId: "done" });
});

it.each(["granted", "denied"])("keeps and reports that a permission was %s", async (outcome) => {
  const { service, client } = started();
  const ask = { id: "push", type: "permissions", content: { permission: "notifications" }, settings: {} };
  const after = { id: "after", type: "welcome", content: {}, settings: {}, showIf: [] };
  const rule = [{ id: "r", when: [{ attribute: "answers.push", operator: "eq", value: "granted" }], goTo: "end" }];
  const flow = { ...FLOW, screens: [{ ...ask, next: rule }, after] } as unknown as Flow;
  const session = client.start(flow, async () => outcome);
  session.forward();
  await settled();
  expect([session.state.answers, session.state.isOver]).toEqual([{ push: outcome }, outcome === "granted"]);
  await client.flush();
  expect(service.events.find(({ eventType }) => eventType === `permission_${outcome}`)).toMatchObject({
    ...{ screenId: "push", flowId: "flow_1", properties: { permission: "notifications" } },
  });
});

it("survives handlers and listeners that fail", async () => {
  const { client } = started();
  const session = client.start(QUESTIONS, () => {
    throw new Error("a defect of the app");
  });
  session.subscribe(() => {
    throw new Error("a defect of the app");
  });
  session.skip();
  session.skip();
  session.answer("year");
  session.forward();
  await settled();
  session.forward();
  expect(await session.result).toMatchObject({ outcome: "completed" });
});

it("draws a screen of an unknown type by its texts, and a flow without screens ends", async () => {
  const { client } = started();
  const unknown = { ...FLOW, screens: [{ id: "a", type: "hologram", content: { title: "New" }, settings: {} }] };
  const session = client.start(unknown as unknown as Flow);
  expect([session.state.screen?.type, session.text("title")]).toEqual(["hologram", "New"]);
  session.forward();
  expect(session.state.isOver).toBe(true);
  expect(await client.start({ ...FLOW, id: "flow_3", screens: [] }).result).toMatchObject({ outcome: "completed" });
});

it("has the same state until something changes, as React wants it", () => {
  const { client } = started();
  const session = client.start(QUESTIONS);
  const before = session.state;
  expect(session.state).toBe(before);
  session.answer("lose");
  expect(session.state).not.toBe(before);
});
