import { describe, expect, it } from "vitest";
import { responses } from "./answers";
import type { Button } from "./content";
import { readDocument } from "./document";
import type { Json } from "./json";
import { FlowSession, type Request } from "./session";
import { valuesOf } from "./values";

const NEXT: Button = { label: "Go", action: "next", url: "" };
const QUESTION = { type: "question_text", content: { question: "Who?", required: true } };

interface Options {
  stored?: object;
  recordAnswers?: boolean;
  ask?: (request: Request) => Promise<unknown> | null;
  context?: Json;
}

/** Return a session of a flow with these screens; a text is the id of a screen without a question. */
function open(
  screens: (string | Json)[],
  { stored = {}, recordAnswers = false, ask = () => null, context = {} }: Options = {},
) {
  const events: [string, Json?][] = [];
  const asked: Request[] = [];
  const flow = readDocument({
    flowId: "flow_1",
    recordAnswers,
    screens: screens.map((screen) => (typeof screen === "string" ? { id: screen, type: "welcome" } : screen)),
  });
  const host = {
    context,
    logic: null,
    record: (type: string, members?: Json) => void events.push([type, members]),
    ask: (request: Request) => {
      asked.push(request);
      return ask(request);
    },
  };
  const session = new FlowSession(flow, host, stored as Json);
  return { session, events, asked, types: () => events.map(([type]) => type) };
}

const CONSENT = {
  id: "c",
  type: "consent",
  content: { title: "Agree?", items: [{ name: "terms", label: "Terms", required: true }, "news"] },
};

it("a consent needs its required boxes, and reports each box", () => {
  const { session, events } = open([CONSENT, "b"], { recordAnswers: true });
  session.start();
  expect(session.press(NEXT, { answer: ["news"] })).toEqual({ code: "consent" });
  expect(session.press(NEXT, { answer: ["terms"] })).toBeNull();
  expect(session.state.screenId).toBe("b");
  const asked = events.filter(([type]) => type === "question_answered").map(([, members]) => members?.properties);
  expect(asked).toEqual([
    { answer_key: "terms", question_type: "consent", answer: true },
    { answer_key: "news", question_type: "consent", answer: false },
  ]);
  expect(responses(session.flow.screens, session.state.answers)).toEqual([]);
  const way = { ...session.state, path: ["c"] };
  expect(valuesOf(session.flow, way, {})).toMatchObject({ "answers.terms": true, "answers.news": false });
  expect(valuesOf(session.flow, { ...way, answers: [] }, {})).not.toHaveProperty("answers.news");
});

describe("the position", () => {
  it("follows the order forwards, and the path back", () => {
    const { session, types } = open(["a", "b", "c"]);
    session.start();
    session.press(NEXT);
    session.press(NEXT);
    session.back();
    expect(session.state).toMatchObject({ screenId: "b", path: ["a", "b"], ahead: ["c"] });
    session.open("c");
    session.press(NEXT);
    expect(session.state).toMatchObject({ screenId: "c", isOver: true });
    session.back();
    session.press(NEXT);
    expect(session.state.screenId).toBe("c");
    expect(types().filter((type) => type !== "screen_viewed")).toEqual([
      "flow_started",
      ...["screen_completed", "screen_completed", "screen_completed"],
      "flow_completed",
    ]);
  });

  it("is a screen that was shown, unless any may be opened", () => {
    const { session } = open(["a", "b", "c"]);
    for (const id of ["c", "gone", ""]) {
      session.open(id);
    }
    expect(session.state.screenId).toBe("a");
    session.open("c", true);
    session.open("gone", true);
    expect(session.state.path).toEqual(["a", "b", "c"]);
  });

  it.each([
    ["another order", ["c", "a", "b"], ["a", "b", "c"], [], ["c"], ["a", "b"]],
    ["a screen less", ["a", "b"], ["a", "b", "c"], [], ["a", "b"], []],
    ["a new screen before it", ["a", "n", "b"], ["a", "b"], [], ["a", "b"], []],
    ["none of the screens", ["x", "y"], ["a"], ["b"], ["x"], []],
    ["screens that Back left", ["a", "b", "c"], ["a"], ["b", "c"], ["a"], ["b", "c"]],
  ])("of a stored visit is kept in a version with %s", (_, screens, path, ahead, newPath, newAhead) => {
    const { state } = open(screens, { stored: { path, ahead } }).session;
    expect([state.path, state.ahead]).toEqual([newPath, newAhead]);
  });

  it("moves forwards only, whatever happens between two versions of a flow", () => {
    let seed = 7;
    const random = (count: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * count);
    };
    let stored: object = {};
    for (let round = 0; round < 300; round += 1) {
      const ids = ["a", "b", "c", "d", "e"].filter(() => random(4) > 0).sort(() => random(3) - 1);
      const { session } = open(ids, { stored });
      for (let step = 0; step < 4; step += 1) {
        [() => session.press(NEXT), () => session.back(), () => session.open(ids[random(5)] ?? "")][random(3)]?.();
        const { path, ahead, screenId } = session.state;
        expect([...path, ...ahead]).toEqual(ids.filter((id) => path.includes(id) || ahead.includes(id)));
        expect(path[path.length - 1] ?? null).toBe(screenId);
      }
      stored = JSON.parse(JSON.stringify(session.state)) as object;
    }
  });
});

describe("an answer", () => {
  it("is kept by the primary button once it is valid, and reported without its text", () => {
    const { session, events } = open([{ id: "q", ...QUESTION }, "b"]);
    expect(session.press(NEXT, null)).toEqual({ code: "missing" });
    expect(session.state.screenId).toBe("q");
    session.press(NEXT, { answer: "Ada" });
    session.back();
    session.press(NEXT, { answer: "Grace" });
    expect(session.state.answers.map(({ answer }) => answer)).toEqual(["Grace"]);
    const answered = { screenId: "q", properties: { answer_key: "q", question_type: "question_text" } };
    expect(events.filter(([type]) => type === "question_answered")).toEqual(
      Array(2).fill(["question_answered", answered]),
    );
  });

  it("is reported with its text if the project records answers", () => {
    const { session, events } = open([{ id: "q", ...QUESTION }], { recordAnswers: true });
    session.press(NEXT, { answer: "Ada" });
    expect(events[0]?.[1]).toMatchObject({ properties: { answer: "Ada" } });
  });

  it("is not needed by another button, and dropped by Skip", () => {
    const { session } = open([{ id: "q", ...QUESTION }, "b"]);
    session.press(NEXT);
    expect(session.state.screenId).toBe("b");
    session.back();
    session.answer({ answer: "Ada" });
    session.skip();
    expect(session.state.answers).toEqual([]);
  });

  it("goes to apps in the order of the screens, without the answer key", () => {
    const { session } = open([
      "a",
      { id: "q1", ...QUESTION },
      { id: "q2", type: "question_picker", content: { picker: "height" } },
    ]);
    session.open("q2", true);
    session.answer({ answer: ["175"], unit: "metric" });
    session.back();
    session.answer({ answer: "Ada" });
    expect(responses(session.flow.screens, session.state.answers)).toEqual([
      { questionText: "Who?", questionType: "question_text", answer: "Ada", screenId: "q1" },
      { questionText: "", questionType: "question_picker", answer: ["175"], screenId: "q2", unit: "metric" },
    ]);
  });
});

describe("a button", () => {
  it.each([
    ["skip", "a", "flow_skipped"],
    ["close", "a", "flow_skipped"],
    ["close", "b", "flow_completed"],
    ["sign_in", "b", "flow_skipped"],
  ])("%s on screen %s ends the flow", (action, screen, event) => {
    const { session, types } = open(["a", "b"]);
    session.open(screen, true);
    session.press({ ...NEXT, action });
    expect([session.state.isOver, types().pop()]).toEqual([true, event]);
  });

  it("waits for the app, and takes no further press", async () => {
    let finish: (value?: unknown) => void = () => undefined;
    const ask = () =>
      new Promise((resolve) => {
        finish = resolve;
      });
    const { session, asked } = open([{ id: "p", type: "permissions", content: { permission: "camera" } }, "b"], {
      ask,
    });
    const allow = { ...NEXT, action: "request_permission" };
    session.press(allow);
    session.press(allow);
    session.skip();
    expect([session.state.screenId, session.state.isBusy]).toEqual(["p", true]);
    expect(asked).toEqual([{ type: "permission", permission: "camera" }]);
    finish();
    await Promise.resolve().then(() => undefined);
    await Promise.resolve();
    expect(session.state).toMatchObject({ screenId: "b", isBusy: false });
  });

  it("does not move on after a wait that Back has ended, and does after an app that fails", async () => {
    const settle = async () => {
      for (let turn = 0; turn < 5; turn += 1) {
        await Promise.resolve();
      }
    };
    const ask = async () => {
      throw new Error("no app");
    };
    const { session } = open(["a", "b", "c"], { ask, stored: { path: ["a", "b"] } });
    session.press({ ...NEXT, action: "rate" });
    session.back();
    await settle();
    expect(session.state.screenId).toBe("a");
    session.press({ ...NEXT, action: "rate" });
    await settle();
    expect(session.state.screenId).toBe("b");
  });

  it("hands the app a product, and the fields of a sign-up, which are neither kept nor reported", () => {
    const { session, asked, events } = open([
      { id: "s", type: "signup" },
      { id: "p", type: "paywall" },
    ]);
    session.press(NEXT, { answer: "email", fields: { email: "ada@example.com" } });
    session.press(NEXT, { answer: "yearly" });
    expect(asked).toEqual([
      { type: "signup", method: "email", fields: { email: "ada@example.com" } },
      { type: "purchase", productId: "yearly" },
    ]);
    expect(JSON.stringify([events, session.state])).not.toContain("ada@");
    expect(events.map(([type]) => type)).toEqual(
      expect.arrayContaining(["signup_chosen", "paywall_purchase_chosen", "flow_completed"]),
    );
  });
});

describe("the end of a screen's time", () => {
  it("completes the screen, and asks the app for nothing", () => {
    const permission = { id: "a", type: "permissions", content: { title: "Allow?", permission: "camera" } };
    const { session, asked, types } = open([permission, { id: "b", type: "paywall", content: { products: ["P"] } }]);
    session.start();
    session.elapse();
    session.elapse({ answer: "P" });
    expect(types().filter((type) => type !== "screen_viewed")).toEqual([
      "flow_started",
      ...["screen_completed", "screen_completed"],
      "flow_completed",
    ]);
    expect(asked).toEqual([]);
    session.elapse();
    expect(types().slice(-1)).toEqual(["flow_completed"]);
  });

  it("keeps a question whose answer is missing, and the answer of another one", () => {
    const { session } = open([{ id: "a", ...QUESTION }, "b"]);
    session.elapse();
    expect(session.state.screenId).toBe("a");
    session.elapse({ answer: "Ann" });
    expect(session.state).toMatchObject({ screenId: "b", answers: [{ answer: "Ann" }] });
  });
});
