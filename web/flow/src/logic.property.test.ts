/** Properties of every way through every flow. The walks of the oracle in Python are tests/integration/test_logic_engine.py. */

import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { Button } from "./content";
import { placeOf, readDocument } from "./document";
import type { Json } from "./json";
import * as logic from "./logic";
import { withTrees } from "./parser";
import { FlowSession } from "./session";

const NEXT: Button = { label: "Go", action: "next", url: "" };
const MAX_SCREENS = 8;
const VALUES = ["a", "b"];
const TYPES = ["question_single_choice", "question_multiple_choice", "consent", "welcome"];

const question = fc.nat(3);
const condition = fc.record({
  attribute: fc.oneof(
    { weight: 4, arbitrary: question.map((at) => `answers.q${at}`) },
    fc.constantFrom("variables.x", "platform", "answers.a"),
  ),
  operator: fc.constantFrom("eq", "neq", "contains", "exists", "unknown"),
  value: fc.constantFrom(...VALUES, "ios", true),
});
// Most screens are always shown, and few rules end the flow, so that paths are long.
const showIf = fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(condition, { minLength: 1, maxLength: 2 }));
const goTo = fc.oneof({ weight: 8, arbitrary: fc.nat(MAX_SCREENS - 1).map((at) => `s${at}`) }, fc.constant("end"));
const rule = fc.record({ when: fc.array(condition, { minLength: 1, maxLength: 2 }), goTo });
const screen = fc.record({
  type: fc.constantFrom(...TYPES),
  showIf,
  next: fc.array(rule, { maxLength: 2 }),
  settings: fc.record({ counts: fc.boolean() }),
});
const flow = fc
  .record({ screens: fc.array(screen, { minLength: 4, maxLength: MAX_SCREENS }), read: question })
  .map(({ screens, read }) => ({
    screens: screens.map((one, at) => ({
      ...one,
      id: `s${at}`,
      content: { answer_key: `q${at}`, options: VALUES, items: VALUES, required: false },
      next: one.next.map((own, number) => ({ ...own, id: `r${number}` })),
    })),
    variables: withTrees([{ name: "x", formula: `coalesce(answers.q${read}, "a")` }]),
  }));
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("forward" as const), answer: fc.subarray(VALUES, { minLength: 1 }) }),
  },
  fc.record({ do: fc.constantFrom("back" as const, "back" as const, "skip" as const) }),
);

function open(given: Json, stored: Json = {}): FlowSession {
  const host = {
    context: { platform: "ios" },
    logic: { ...logic, fill: (...one: Parameters<logic.Logic["fill"]>) => logic.fill(...one, "en") },
    record: () => undefined,
    ask: () => null,
  };
  return new FlowSession(readDocument(given), host, stored);
}

/** Go on from the present screen with an answer; without one, with the answer that the screen has. */
function forward(session: FlowSession, answer?: string[]): void {
  const { screen } = session;
  const isSingle = screen?.type === "question_single_choice";
  const given = answer?.length && screen?.type !== "welcome" ? { answer: isSingle ? (answer[0] ?? "") : answer } : null;
  session.press(NEXT, answer ? given : undefined);
}

it("ends on every way, leads forward only, comes back the same way, and never loses progress", () => {
  fc.assert(
    fc.property(flow, fc.array(step, { maxLength: 16 }), (given, steps) => {
      const session = open(given);
      const places = () => session.state.path.map((id) => placeOf(session.flow, id));
      const expectForward = (go: () => void) => {
        const before = session.state.progress;
        go();
        expect(session.state.progress).toBeGreaterThanOrEqual(before);
        expect(session.state.progress).toBeLessThanOrEqual(1);
      };
      for (const one of steps) {
        if (one.do === "back") {
          session.back();
        } else {
          expectForward(() => (one.do === "forward" ? forward(session, one.answer) : session.skip()));
        }
        expect(places()).toEqual([...new Set(places())].sort((first, second) => first - second));
      }
      const { state } = session;
      if (!state.isOver) {
        expect(open(given, JSON.parse(JSON.stringify(state))).state).toEqual(state);
        for (let turns = state.path.length - 1; turns > 0; turns -= 1) {
          session.back();
        }
        while (session.state.path.length < state.path.length && !session.state.isOver) {
          expectForward(() => forward(session));
        }
        expect([session.state.path, session.state.answers]).toEqual([state.path, state.answers]);
      }
      for (let left = given.screens.length; left > 0 && !session.state.isOver; left -= 1) {
        expectForward(() => forward(session));
      }
      expect(session.state.isOver || session.state.screenId === null).toBe(true);
    }),
    { numRuns: 800 },
  );
});
