import { afterEach, expect, it, vi } from "vitest";
import { startPreview } from "./preview";

const DASHBOARD = "https://dashboard.example";
const [a, b, c] = ["a", "b", "c"].map((id) => ({ id, type: "welcome", content: { title: id.toUpperCase() } }));
const question = { id: "q", type: "question_text", content: { question: "Who?" } };

let sent: unknown[];

function start(): void {
  sent = [];
  document.body.innerHTML = '<div id="app"></div>';
  vi.stubGlobal("scrollTo", () => undefined);
  vi.spyOn(window, "postMessage").mockImplementation((message: unknown) => void sent.push(message));
  startPreview(document.getElementById("app") as HTMLElement, DASHBOARD);
}

function show(screens: object[], members: object = {}): string | null | undefined {
  const data = { type: "onboarding:preview", document: { screens }, ...members };
  window.dispatchEvent(new MessageEvent("message", { origin: DASHBOARD, source: window, data }));
  return document.querySelector("h1")?.textContent;
}

async function press(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 400));
  document.querySelector<HTMLElement>(".primary")?.click();
}

afterEach(() => {
  vi.restoreAllMocks();
});

it("keeps the screen and the answers while the document changes", async () => {
  start();
  show([a, question, b] as object[], { screenId: "q" });
  (document.querySelector("#answer") as HTMLInputElement).value = "Ada";
  await press();
  expect(sent.pop()).toMatchObject({
    type: "onboarding:preview-screen",
    screenId: "b",
    state: { path: ["a", "q", "b"], answers: [{ screenId: "q", answer: "Ada" }] },
  });
  expect(show([b, c, question, a] as object[])).toBe("B");
  expect(show([c, question, a] as object[], { screenId: "gone" })).toBe("C");
  expect(show([c, question, a] as object[], { screenId: "q" })).toBe("Who?");
  expect((document.querySelector("#answer") as HTMLInputElement).value).toBe("Ada");
  expect(show([])).toBe("All done");
  expect(show([a, b] as object[], { screenId: "b" })).toBe("B");
  expect(document.querySelector(".back")).not.toBeNull();
});

it("stays at a screen that loads while it is edited", async () => {
  start();
  vi.useFakeTimers();
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  show([{ id: "l", type: "loading", content: { title: "Wait", seconds: 1 } }, b] as object[], { screenId: "l" });
  await vi.advanceTimersByTimeAsync(3_000);
  expect(document.querySelector(".ring")?.textContent).toBe("100%");
  expect(document.querySelector("h1")?.textContent).toBe("Wait");
  vi.useRealTimers();
});

it("follows the logic of the document", async () => {
  start();
  const rule = { id: "r1", when: [{ attribute: "answers.q", operator: "eq", value: "Ada" }], goTo: "c" };
  show([{ ...question, next: [rule] }, b, c] as object[]);
  (document.querySelector("#answer") as HTMLInputElement).value = "Ada";
  await press();
  expect(sent.pop()).toMatchObject({ type: "onboarding:preview-screen", screenId: "c" });
  expect(document.querySelector(".step")).toBeNull();
});

it("shows the texts and the way of the device that the dashboard names", () => {
  start();
  const greeting = { id: "g", type: "welcome", content: { title: "{{attributes.name|you}} on {{platform}}" } };
  const shown = { ...greeting, showIf: [{ attribute: "platform", operator: "eq", value: "ios" }] };
  expect(show([shown, b] as object[])).toBe("B");
  start();
  expect(show([shown], { context: { platform: "ios", attributes: { name: "Ada" } } })).toBe("Ada on ios");
});

it("takes the place of a screen from a dashboard of the release before", () => {
  start();
  expect(show([a, b, c] as object[], { screenIndex: 2 })).toBe("C");
});

it("tells which text or picture is clicked, but not of buttons", () => {
  start();
  show([{ ...a, content: { ...a?.content, image_url: "https://example.com/a.png" } }] as object[], { screenId: "a" });
  sent = [];
  for (const selector of ["h1", "img", ".primary"]) {
    document.querySelector<HTMLElement>(selector)?.click();
  }
  expect(sent).toEqual(["A", "https://example.com/a.png"].map((text) => ({ type: "onboarding:preview-text", text })));
});
