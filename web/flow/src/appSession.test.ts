import { describe, expect, it } from "vitest";
import { AppSession } from "./appSession";
import type { Button } from "./content";
import { readDocument } from "./document";
import type { Json } from "./json";
import { logicIn } from "./logic";
import type { Request } from "./session";

const NEXT: Button = { label: "Go", action: "next", url: "" };
const LOGIC = logicIn(() => "en");

type Ask = (request: Request) => Promise<unknown> | null;

interface Options {
  ask?: Ask;
  draws?: string[];
  hasOutcomes?: boolean;
  mode?: string;
  stored?: Json;
}

/** Return a session of a flow with these screens between a first and a last one. */
function open(screens: Json[], { ask = () => null, draws = [], hasOutcomes = true, mode, stored = {} }: Options = {}) {
  const asked: Request[] = [];
  const timers: { seconds: number; end: () => void }[] = [];
  const events: [string, Json?][] = [];
  const flow = readDocument({ flowId: "f", mode, screens: [{ id: "first" }, ...screens, { id: "last" }] });
  const host = {
    context: {},
    logic: LOGIC,
    hasOutcomes,
    record: (type: string, members?: Json) => void events.push([type, members]),
    ask: (request: Request) => {
      asked.push(request);
      return ask(request);
    },
    draws: (name: string) => draws.includes(name),
    after: (milliseconds: number, end: () => void) => {
      timers.push({ seconds: milliseconds / 1000, end });
      return () => undefined;
    },
  };
  const session = new AppSession(flow, host, stored);
  session.start();
  if (session.state.screenId === "first") {
    session.press(NEXT);
  }
  return { session, asked, timers, events, at: () => session.state.screenId };
}

/** Let all promises go on that are settled. */
const settle = async () => {
  for (let turn = 0; turn < 20; turn += 1) {
    await Promise.resolve();
  }
};
const native = (settings: Json = {}) => ({ id: "n", type: "native", content: { name: "sign_in" }, settings });
const step = (settings: Json = {}) => ({ id: "s", type: "welcome", settings: { await_app: true, ...settings } });
const required = (screen: Json) => ({ ...screen, settings: { required: true } });
const permission = { id: "p", type: "permissions", content: { permission: "camera" } };
const allow: Button = { label: "Allow", action: "request_permission", url: "" };
const paywall = { id: "w", type: "paywall", content: { products: ["yearly"] } };
const signup = { id: "u", type: "signup", content: { providers: ["apple"] } };

describe("a step hook", () => {
  it.each<[string, unknown, Json, string]>([
    ["next", { go: "next" }, {}, "last"],
    ["a later screen", { go: "last" }, {}, "last"],
    ["a screen that was shown before", { go: "first" }, {}, "first"],
    ["stay", { go: "stay", message: "Too young." }, {}, "s"],
    ["an unknown screen: the default", { go: "nowhere" }, {}, "last"],
    ["an unknown screen: the other default", { go: "nowhere" }, { await_default: "stay" }, "s"],
    ["no answer in time", "late", {}, "last"],
    ["no answer in time, which keeps", "late", { await_default: "stay" }, "s"],
    ["no answer in time at a required step", "late", { required: true, await_default: "next" }, "s"],
    ["an error", "error", {}, "last"],
    ["an error at a required step", "error", { required: true }, "s"],
    ["junk at a required step", 7, { required: true }, "s"],
    ["no hook", null, {}, "last"],
    ["no hook at a required step", null, { required: true }, "s"],
    ["no hook, which keeps", null, { await_default: "stay" }, "s"],
  ])("that answers %s leads there", async (_name, reply, settings, target) => {
    const ask: Ask = () => {
      if (reply === null) {
        return null;
      }
      return reply === "error"
        ? Promise.reject(new Error("no"))
        : reply === "late"
          ? new Promise(() => {})
          : Promise.resolve(reply);
    };
    const { session, timers, at } = open([step(settings)], { ask });
    session.press(NEXT);
    if (reply === "late") {
      expect(session.state.isBusy).toBe(true);
      timers[0]?.end();
    }
    await settle();
    expect(at()).toBe(target);
    expect(session.state.isBusy).toBe(false);
  });

  it("gets the screen, its answers and the next screen, and can end the flow", async () => {
    const question = { id: "q", type: "question_text", content: { question: "Who?", answer_key: "who" } };
    const screens = [{ ...question, settings: { await_app: true } }];
    const { session, asked } = open(screens, { ask: async () => ({ go: "end" }) });
    session.press(NEXT, { answer: "Ada" });
    await settle();
    expect(asked).toEqual([{ type: "step", screenId: "q", answers: { who: "Ada" }, next: "last" }]);
    expect(session.state.isOver).toBe(true);
  });

  it("shows its message, and sets values that conditions read", async () => {
    const last = { id: "x", show_if: [], showIf: [{ attribute: "attributes.vip", operator: "eq", value: true }] };
    const replies = [
      { go: "stay", message: "Wait." },
      { go: "next", set: { "attributes.vip": true, evil: () => 1 } },
    ];
    const { session, at } = open([step(), last], { ask: async () => replies.shift() });
    session.press(NEXT);
    await settle();
    expect(session.state.notice).toBe("Wait.");
    session.press(NEXT);
    await settle();
    expect([at(), session.state.notice, session.state.set]).toEqual(["x", null, { s: { "attributes.vip": true } }]);
  });

  it.each([
    [undefined, 3],
    [9, 9],
    [99, 15],
  ])("has the time of its settings: %s", (await_seconds, seconds) => {
    const { session, timers } = open([step({ await_seconds })], { ask: () => new Promise(() => {}) });
    session.press(NEXT);
    expect(timers.map((timer) => timer.seconds)).toEqual([seconds]);
  });

  it("that answers after its time lets the screen pass that still waits for it", async () => {
    let answer: (reply: unknown) => void = () => {};
    const ask: Ask = () =>
      new Promise((done) => {
        answer = done;
      });
    const { session, timers, at } = open([step({ required: true })], { ask });
    session.press(NEXT);
    timers[0]?.end();
    expect([at(), session.state.notice]).toEqual(["s", ""]);
    answer({ go: "next" });
    await settle();
    expect(at()).toBe("last");
  });
});

describe("what the app was asked for", () => {
  it.each<[Json, Button, unknown, string, string | undefined]>([
    [permission, allow, "granted", "last", "granted"],
    [permission, allow, "denied", "last", "denied"],
    [permission, allow, null, "last", undefined],
    [required(permission), allow, "denied", "last", "denied"],
    [required(permission), allow, "yes", "p", undefined],
    [paywall, NEXT, "purchased", "last", "yearly"],
    [paywall, NEXT, "cancelled", "last", "cancelled"],
    [paywall, NEXT, "of course", "last", "failed"],
    [paywall, NEXT, null, "last", "failed"],
    [required(paywall), NEXT, "cancelled", "w", "cancelled"],
    [required(paywall), NEXT, null, "w", "failed"],
    [required(paywall), NEXT, "purchased", "last", "yearly"],
    [signup, NEXT, { result: "ok" }, "last", undefined],
    [signup, NEXT, undefined, "last", undefined],
    [signup, NEXT, { result: "failed", message: "Wrong" }, "u", undefined],
    [required(signup), NEXT, undefined, "u", undefined],
    [required(signup), NEXT, null, "u", undefined],
    [required(signup), NEXT, "ok", "last", undefined],
  ])("%j by %j, answered %j, leads to %s with the answer %s", async (screen, button, reply, target, choice) => {
    const { session, at } = open([screen], { ask: reply === null ? () => null : async () => reply });
    session.press(
      button,
      screen === permission ? undefined : { answer: screen.type === "signup" ? "apple" : "yearly" },
    );
    await settle();
    expect([at(), session.state.choices[String(screen.id)]]).toEqual([target, choice]);
  });

  it("is the choice of the user where the app tells no outcome", () => {
    const { session, at } = open([paywall], { hasOutcomes: false });
    session.press(NEXT, { answer: "yearly" });
    expect([at(), session.state.choices]).toEqual(["last", {}]);
  });

  it("are actions of its own, too", async () => {
    const screen = { id: "a", content: { title: "Scan" } };
    const { session, asked, at } = open([screen], { ask: async () => ({ ok: true, set: { scanned: "x" } }) });
    session.press({ label: "Scan", action: "scan", url: "", data: { side: "front" } });
    await settle();
    expect(asked).toEqual([{ type: "action", name: "scan", data: { side: "front" } }]);
    expect([at(), session.answers]).toEqual(["last", { scanned: "x" }]);
  });

  it("ends the wait of another screen in nothing", async () => {
    let answer: (reply: unknown) => void = () => {};
    const { session, at } = open([permission], {
      ask: () =>
        new Promise((done) => {
          answer = done;
        }),
    });
    session.press(allow);
    session.back();
    answer("granted");
    await settle();
    expect([at(), session.state.choices]).toEqual(["first", {}]);
  });

  it("sign-in from a required screen ends the flow only when it has succeeded", async () => {
    const signIn: Button = { label: "Sign in", action: "sign_in", url: "" };
    const replies = [{ result: "failed" }, { result: "signed_in" }];
    const { session, at } = open([required(signup)], { ask: async () => replies.shift() });
    session.press(signIn);
    await settle();
    expect([at(), session.state.isOver]).toEqual(["u", false]);
    session.press(signIn);
    await settle();
    expect(session.state.isOver).toBe(true);
  });
});

describe("a native screen", () => {
  it("waits for the app that draws it, and keeps its answers", () => {
    const { session, at } = open([native()], { draws: ["sign_in"] });
    expect(at()).toBe("n");
    session.done({ user: "ada", "attributes.plan": "pro" });
    expect(at()).toBe("last");
    expect(session.answers).toEqual({ user: "ada" });
    session.back();
    session.stay("Wrong password");
    expect([at(), session.state.notice]).toEqual(["n", "Wrong password"]);
  });

  it("that nobody draws is not in the flow", () => {
    const { session, at, events } = open([native()]);
    expect([at(), session.state.path]).toEqual(["last", ["first", "last"]]);
    expect(events.map(([, members]) => members?.screenId)).not.toContain("n");
    session.back();
    expect(at()).toBe("first");
  });

  it.each([{ required: true }, { fallback: "stop" }, { required: true, fallback: "screen" }])(
    "that nobody draws stops a flow with %j",
    (settings) => {
      const { session, at } = open([native(settings)]);
      session.press(NEXT);
      session.elapse();
      expect([at(), session.state.notice]).toEqual(["n", ""]);
    },
  );

  it("that nobody draws is a screen with a button, if its fallback is one", () => {
    const { session, at } = open([native({ fallback: "screen" })]);
    expect(at()).toBe("n");
    session.press(NEXT);
    expect(at()).toBe("last");
  });

  it("is passed over when the app turns out not to draw it, in both directions", () => {
    const draws = ["sign_in"];
    const { session, at } = open([native()], { draws });
    draws.pop();
    session.reconsider();
    expect([at(), session.state.path]).toEqual(["last", ["first", "last"]]);
    draws.push("sign_in");
    session.back();
    session.press(NEXT);
    session.done();
    draws.pop();
    session.back();
    session.reconsider();
    expect(at()).toBe("first");
  });

  it("is completed by no time if it is required", () => {
    const { session, at } = open([native({ required: true })], { draws: ["sign_in"] });
    session.elapse();
    expect(at()).toBe("n");
  });
});

describe("a required screen", () => {
  it.each([permission, paywall, signup, { id: "x", type: "feature" }])(
    "of any type is passed by nothing: %j",
    (screen) => {
      const { session, at } = open([required(screen)]);
      session.press(NEXT);
      session.press({ label: "Later", action: "submit", url: "" });
      session.elapse();
      session.skip();
      session.open("last");
      expect([at(), session.state.notice]).toEqual([screen.id, ""]);
      const again = open([required(screen)], { stored: session.state as unknown as Json });
      expect(again.at()).toBe(screen.id);
    },
  );

  it("is not completed by a button that closes the flow at its end", async () => {
    const next = [{ id: "end", when: [], goTo: "end" }];
    const replies = [{ go: "stay" }, { go: "next" }];
    const { session, asked, events } = open([{ ...required({ id: "x" }), next }], { ask: async () => replies.shift() });
    const close = { label: "Done", action: "close", url: "" };
    session.press(close);
    await settle();
    expect([asked.map(({ type }) => type), session.state.isOver]).toEqual([["step"], false]);
    session.press(close);
    await settle();
    expect(events.pop()?.[0]).toBe("flow_completed");
  });

  it("that a newer version has in front of the position comes first", () => {
    const stored = { path: ["first", "last"], isStarted: true };
    expect(open([required({ id: "x" })], { stored }).at()).toBe("x");
    expect(
      open([required({ id: "x", showIf: [{ attribute: "attributes.a", operator: "exists", value: true }] })], {
        stored,
      }).at(),
    ).toBe("last");
  });

  it("is passed in a preview without an app", () => {
    const { session, at } = open([required({ id: "x" })], { mode: "preview", hasOutcomes: false });
    session.press(NEXT);
    expect(at()).toBe("last");
  });
});

it("values of the app are bounded", () => {
  const { session } = open([]);
  session.set("", { long: "x".repeat(1_001), nested: {}, "answers.ok": ["a"], number: 1, none: null });
  expect(session.answers).toEqual({ ok: ["a"], number: 1 });
});
