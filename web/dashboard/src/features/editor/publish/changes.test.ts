import { expect, test } from "vitest";
import type { FlowDocument, FlowScreen } from "../document";
import { namesOf } from "../logic/rules";
import { changeInWords, documentChanges, isSeen } from "./changes";

function screen(id: string, content: Record<string, unknown> = {}): FlowScreen {
  return { id, type: "welcome", name: `Screen ${id}`, content, settings: {} };
}

function document(...screens: FlowScreen[]): FlowDocument {
  const targeting = { percentage: 100, conditions: [] };
  return { name: "Tour", description: null, theme_id: null, targeting, screens };
}

function inWords(before: FlowDocument, after: FlowDocument): string[] {
  const names = namesOf(after, before);
  return documentChanges(before, after).map((change) => changeInWords(change, names));
}

test("replaced document has more changes than can be listed", () => {
  const change = { op: "replace", path: "", before: document(), after: document() } as const;
  expect(changeInWords(change, namesOf())).toBe("Changed more than can be listed");
});

test("changed member is named with both values, and with its screen", () => {
  const before = document(screen("a", { title: "Hi" }));
  expect(inWords(before, { ...before, name: "Trip" })).toEqual(["Changed name from “Tour” to “Trip”"]);
  expect(inWords(before, document(screen("a", { title: "Ho", subtitle: "" })))).toEqual([
    "Screen a: changed title from “Hi” to “Ho”",
  ]);
});

test("long texts are cut, entries of lists and objects are named by their labels", () => {
  const [run, swim] = ["Run", "Swim"].map((label) => ({ label, value: label }));
  const before = document(screen("a", { title: "x".repeat(450), options: [run], primary_button: { label: "Go" } }));
  const after = document(screen("a", { title: "y", options: [run, swim], primary_button: { action: "next" } }));
  expect(inWords(before, { ...after, theme_id: "theme_1" })).toEqual([
    "Changed the theme",
    `Screen a: changed title from “${"x".repeat(400)}…” to “y”`,
    "Screen a: changed options from “Run” to “Run”, “Swim”",
    "Screen a: changed primary button from “Go” to other values",
  ]);
  const list = (length: number) => document(screen("a", { options: Array(length).fill({ x: 1 }) }));
  expect(inWords(list(1), list(2))).toEqual(["Screen a: changed options from 1 entry to 2 entries"]);
});

test("screens are added, removed and moved by their names", () => {
  const [a, b, c] = [screen("a"), screen("b"), screen("c")];
  expect(inWords(document(a, b), document(b, c))).toEqual(["Removed Screen a", "Added Screen c"]);
  expect(inWords(document(a, b), document(b, a))).toContain("Moved Screen b from place 2 to 1");
});

test("paths of the service are read as words", () => {
  const names = namesOf(document({ ...screen("screen_1"), name: "Hello" }));
  const change = { op: "replace" as const, before: "Go", after: "On" };
  expect(changeInWords({ ...change, path: "/screens/screen_1/content/options/0/label" }, names)).toBe(
    "Hello: changed options, 1, label from “Go” to “On”",
  );
  expect(changeInWords({ ...change, path: "/screens/screen_1/settings/a~1b" }, names)).toBe(
    "Hello: changed settings, a/b from “Go” to “On”",
  );
  const removed = { op: "remove" as const, path: "/screens/screen_2", before: screen("screen_2"), after: null };
  expect(changeInWords(removed, names)).toBe("Removed Screen screen_2");
});

test("member that is emptied and then absent is no change for people", () => {
  const path = "/screens/screen_1/content/image_url";
  expect(isSeen({ op: "remove", path, before: "", after: null })).toBe(false);
  expect(isSeen({ op: "replace", path, before: "a", after: "" })).toBe(true);
});

test("changes of translations name their language, and a confirmed one has no new text", () => {
  const title = (text: string, source: string) => ({ de: { "/title": { text, source } } });
  const before = document({ ...screen("a"), localizations: title("Hallo", "Hello") });
  const changed = (text: string, source: string) =>
    inWords(before, document({ ...screen("a"), localizations: title(text, source) }));
  expect(changed("Guten Tag", "Hello")).toEqual(["Screen a: changed German title from “Hallo” to “Guten Tag”"]);
  expect(changed("Hallo", "Hi")).toEqual(["Screen a: confirmed German title"]);
  const whole = { op: "add" as const, path: "/screens/a/localizations/de", before: null, after: {} };
  expect(changeInWords(whole, namesOf(before))).toBe("Screen a: changed the translations into German");
});
