import { describe, expect, it } from "vitest";
import type { TextStore } from "./storage";
import { type Answer, Visit } from "./visit";

function memory(values = new Map<string, string>()): TextStore {
  return {
    get: (key) => values.get(key) ?? null,
    set: (key, value) => void values.set(key, value),
    remove: (key) => void values.delete(key),
  };
}

function answer(screenId: string, value: string | string[], unit?: string): Answer {
  const given = { screenId, questionText: "Why?", questionType: "question_text", answerKey: "why", answer: value };
  return unit ? { ...given, unit } : given;
}

describe("a visit", () => {
  it("keeps its session, its progress and its answers over a reload", () => {
    const store = memory();
    const visit = new Visit("flow_1", "device", store);
    expect(visit.start()).toBe(true);
    visit.reach(2);
    visit.reach(1);
    visit.setAnswer(answer("s1", "Ada"));
    const reloaded = new Visit("flow_1", "device", store);
    expect(reloaded.start()).toBe(false);
    expect(reloaded.sessionId).toBe(visit.sessionId);
    expect(reloaded.furthest).toBe(2);
    expect(reloaded.answerOf("s1")?.answer).toBe("Ada");
  });

  it("begins again after its end, for another flow and for another device", () => {
    const store = memory();
    const visit = new Visit("flow_1", "device", store);
    visit.setAnswer(answer("s1", "Ada"));
    for (const other of [new Visit("flow_2", "device", store), new Visit("flow_1", "other", store)]) {
      expect(other.answerOf("s1")).toBeUndefined();
      expect(other.sessionId).not.toBe(visit.sessionId);
    }
    visit.end();
    expect(new Visit("flow_1", "device", store).answerOf("s1")).toBeUndefined();
  });

  it("returns one answer for each question in the order of the screens, with the members of the bridge alone", () => {
    const visit = new Visit("flow_1", "device", memory());
    visit.setAnswer(answer("s3", ["175"], "metric"));
    visit.setAnswer(answer("s1", "Ada"));
    visit.setAnswer(answer("s1", "Grace"));
    visit.setAnswer(answer("s2", "gone"));
    visit.removeAnswer("s2");
    expect(visit.responses(["s1", "s2", "s3"])).toEqual([
      { questionText: "Why?", questionType: "question_text", answer: "Grace", screenId: "s1" },
      { questionText: "Why?", questionType: "question_text", answer: ["175"], screenId: "s3", unit: "metric" },
    ]);
  });

  it("begins anew where the stored state is damaged", () => {
    const store = memory(new Map([["onboarding.visit.flow_1.device", "{"]]));
    expect(new Visit("flow_1", "device", store).start()).toBe(true);
  });
});
