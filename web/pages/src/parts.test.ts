import { readDocument } from "@onboarding/flow/document";
import { afterEach, expect, it, vi } from "vitest";
import { addIcons, icon } from "./icons";
import { arrived, hasApp, loadParts } from "./parts";

afterEach(() => vi.useRealTimers());

it.each<[string, object, string[]]>([
  ["nothing for the name of the app", { type: "welcome", content: { title: "{{ app_name }}" } }, []],
  ["logic for another name", { type: "welcome", content: { title: "{{platform}}" } }, ["logic"]],
  ["logic for braces that stay", { type: "welcome", content: { title: "\\{{app_name}}" } }, ["logic"]],
  ["logic for a rule", { type: "welcome", next: [{ id: "r", when: [], goTo: "end" }] }, ["logic"]],
  ["the view of a type", { type: "paywall" }, ["paywall"]],
  ["the view of a new type", { type: "loading" }, ["loading"]],
  ["the views of a part", { type: "summary" }, ["comparison", "social_proof", "summary"]],
  ["the views of other types", { type: "question_picker", showIf: [{}] }, ["logic", "question_picker"]],
  ["icons alone for the name of one", { type: "feature", content: { items: [{ icon: "bell" }] } }, ["icons"]],
  ["icons for the one of a permission", { type: "permissions" }, ["icons"]],
  ["the part of the app and logic for a native screen", { type: "native" }, ["app", "logic"]],
  ["the part of the app for a required screen", { type: "welcome", settings: { required: true } }, ["app", "logic"]],
  ["the part of the app for a step of it", { type: "welcome", settings: { await_app: true } }, ["app", "logic"]],
  ["nothing for a member of all objects", { type: "constructor" }, []],
])("loads %s", async (_, screen, expected) => {
  addIcons({ bell: "" });
  const flow = readDocument({ projectName: "App", screens: [screen] });
  const { app, logic, screens } = await loadParts(flow, hasApp(flow));
  const hasIcons = icon("bell").querySelector("path")?.getAttribute("d") !== "";
  expect([
    ...(app ? ["app"] : []),
    ...(logic ? ["logic"] : []),
    ...(hasIcons ? ["icons"] : []),
    ...Object.keys(screens),
  ]).toEqual(expected);
});

it("loads the script of fonts for those of a theme", async () => {
  const fontsOf = async (typography: object) =>
    (await loadParts(readDocument({ screens: [], theme: { typography } }), false)).fonts;
  expect(await fontsOf({ headingFontMediaId: { url: "/a.woff2" } })).toBeTypeOf("function");
  expect(await fontsOf({ fontFamily: "Georgia" })).toBeNull();
});

it("does not wait for ever for a script", async () => {
  vi.useFakeTimers();
  const failed = expect(arrived(new Promise(() => undefined))).rejects.toThrow("not loaded");
  await vi.advanceTimersByTimeAsync(15_000);
  await failed;
});
