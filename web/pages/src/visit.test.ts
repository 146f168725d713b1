import type { SessionState } from "@onboarding/flow/session";
import { expect, it } from "vitest";
import type { TextStore } from "./storage";
import { Visit } from "./visit";

it("a visit lasts over reloads until its end, for one flow and one device", () => {
  const values = new Map<string, string>();
  const store: TextStore = {
    get: (key) => values.get(key) ?? null,
    set: (key, value) => void values.set(key, value),
    remove: (key) => void values.delete(key),
  };
  const visit = new Visit("flow_1", "device", store);
  const state = { path: ["s1"], ahead: [], answers: [], isStarted: true, isOver: false } as unknown as SessionState;
  visit.save(state);
  const reloaded = new Visit("flow_1", "device", store);
  expect(reloaded.sessionId).toBe(visit.sessionId);
  expect(reloaded.stored).toMatchObject({ path: ["s1"], isStarted: true });
  for (const other of [new Visit("flow_2", "device", store), new Visit("flow_1", "other", store)]) {
    expect([other.stored, other.sessionId === visit.sessionId]).toEqual([{}, false]);
  }
  reloaded.save({ ...state, isOver: true });
  expect(new Visit("flow_1", "device", store).stored).toEqual({});
});
