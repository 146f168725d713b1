import { expect, test } from "vitest";
import { copyOfScreen, type FlowDocument, moveScreen } from "./document";
import { type History, historyReducer } from "./history";

const SCREEN = { id: "a", type: "question_text", name: "Name", content: { answer_key: "name" }, settings: {} };

function document(name: string): FlowDocument {
  const targeting = { percentage: 100, conditions: [] };
  return { name, description: null, theme_id: null, targeting, screens: [SCREEN] };
}

function changed(state: History, name: string, at: number, field?: string): History {
  return historyReducer(state, { type: "change", document: document(name), at, field });
}

const START: History = { document: document("start"), past: [], future: [], last: null };

test("quick changes of one field are undone together", () => {
  const typed = changed(changed(START, "s", 0, "name"), "se", 100, "name");
  expect(historyReducer(typed, { type: "undo" }).document.name).toBe("start");
});

test("changes of other fields and later ones are steps of their own", () => {
  const twice = changed(changed(START, "one", 0, "name"), "two", 100, "description");
  expect(historyReducer(twice, { type: "undo" }).document.name).toBe("one");
  const later = changed(changed(START, "one", 0, "name"), "two", 5000, "name");
  expect(historyReducer(later, { type: "undo" }).document.name).toBe("one");
});

test("redo brings back what undo took, until the next change", () => {
  const undone = historyReducer(changed(START, "one", 0), { type: "undo" });
  expect(historyReducer(undone, { type: "redo" }).document.name).toBe("one");
  expect(changed(undone, "other", 1).future).toEqual([]);
});

test("copy of a screen has an answer key of its own", () => {
  const { screens } = document("flow");
  expect(copyOfScreen({ ...document("flow"), screens }, SCREEN).content.answer_key).toBe("name_2");
});

test("screen does not leave the flow when it is moved", () => {
  const before = document("flow");
  expect(moveScreen(before, "a", -1)).toBe(before);
  expect(moveScreen(before, "a", 1)).toBe(before);
});
