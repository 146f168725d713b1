import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startFlow } from "../live";

type Content = Record<string, unknown>;
interface Message extends Content {
  id: number;
  type: string;
}

let texts: string[];
/** Pages of other tests still listen, so each one has a device of its own. */
let device = 0;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance", "requestAnimationFrame"] });
  vi.stubGlobal("fetch", async () => Response.json({ success: true }));
  vi.stubGlobal("scrollTo", () => undefined);
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }));
});

afterEach(() => {
  vi.clearAllTimers();
  vi.useRealTimers();
});

const settle = () => vi.advanceTimersByTimeAsync(400);

/** Show a flow in an app that speaks bridge 2, without `talks` in one of a published SDK, without `app` in a browser. */
async function open(
  screens: Content[],
  { app = true, talks = app, isAgain = false }: { app?: boolean; talks?: boolean; isAgain?: boolean } = {},
): Promise<void> {
  texts = [];
  if (!isAgain) {
    device += 1;
    sessionStorage.clear();
    const query = `?deviceId=app${device}${talks ? "&bridge=2" : ""}`;
    history.replaceState(null, "", `/s/ticket/onboarding/flow_1/1${query}`);
  }
  document.documentElement.removeAttribute("dir");
  document.body.innerHTML = '<div id="app"></div>';
  if (app) {
    vi.stubGlobal("flutter_bridge", { postMessage: (text: string) => void texts.push(text) });
  }
  const shown = screens.map((screen, index) => ({ id: `s${index + 1}`, ...screen }));
  const source = { projectId: "p", projectName: "Shop", flowId: "flow_1", screens: shown };
  await startFlow(document.getElementById("app") as HTMLElement, JSON.stringify(source));
  await settle();
}

/** Return what the page has said by bridge 2. */
function said(type?: string): Message[] {
  const messages = texts
    .filter((text) => text.startsWith("onboarding:"))
    .map((text) => JSON.parse(text.slice("onboarding:".length)) as Message);
  return type ? messages.filter((message) => message.type === type) : messages;
}

async function tell(message: Content): Promise<void> {
  (window as unknown as { onboardingHost(text: string): void }).onboardingHost(JSON.stringify({ v: 2, ...message }));
  await settle();
}

/** Answer the last message of a type. */
async function reply(type: string, members: Content): Promise<void> {
  await tell({ re: said(type).pop()?.id, ...members });
}

const heading = () => document.querySelector("h1")?.textContent;
const alert = () => document.querySelector(".content [role=alert]")?.textContent ?? "";
const press = async (label: string) => {
  [...document.querySelectorAll("button")].find((button) => button.textContent === label)?.click();
  await settle();
};
const welcome = (title: string, settings: Content = {}) => ({ type: "welcome", content: { title }, settings });
const native = (settings: Content = {}) => ({
  type: "native",
  content: { name: "sign_in", title: "Sign in", data: { theme: "dark" } },
  settings,
});

describe("a page that an SDK of ours has opened", () => {
  it("tells of itself, its screens and its end, beside the texts of published SDKs", async () => {
    await open([welcome("One"), { type: "question_text", content: { question: "Who?", answer_key: "who" } }]);
    await press("Continue");
    Object.assign(document.querySelector(".field") ?? {}, { value: "Ada" });
    await press("Continue");
    await vi.advanceTimersByTimeAsync(2_000);
    expect(said().map(({ id, type }) => [id, type])).toEqual([
      [1, "ready"],
      [2, "screen"],
      [3, "screen"],
      [4, "answers"],
      [5, "end"],
    ]);
    expect(said("screen")).toMatchObject([
      { screenId: "s1", step: 1, answers: {} },
      { screenId: "s2", step: 2, answers: {} },
    ]);
    expect(said("end")).toMatchObject([{ outcome: "completed", answers: { who: "Ada" }, variables: {} }]);
    expect(texts.slice(0, 2)).toEqual(["initial_load_complete", "themeStyle:default"]);
    expect(texts[2]).toContain('"ready"');
    expect(texts[texts.length - 1]).toBe("close_pressed");
  });

  it("waits for the step of the app, shows its message, and goes where it says", async () => {
    await open([welcome("One", { await_app: true }), welcome("Two"), welcome("Three")]);
    await press("Continue");
    expect(document.querySelector("[aria-busy=true]")?.textContent).toBe("Continue");
    await reply("step", { go: "stay", message: "Not yet." });
    expect([heading(), alert(), document.querySelector("[aria-busy=true]")]).toEqual(["One", "Not yet.", null]);
    await press("Continue");
    await reply("step", { go: "s3" });
    expect([heading(), alert()]).toEqual(["Three", ""]);
  });

  it("goes on by its default when no answer comes in time, or no function is there", async () => {
    await open([welcome("One", { await_app: true }), welcome("Two", { await_app: true }), welcome("Three")]);
    await press("Continue");
    await vi.advanceTimersByTimeAsync(3_000);
    expect(heading()).toBe("Two");
    await press("Continue");
    await reply("step", { handled: false });
    expect(heading()).toBe("Three");
  });

  it("has the outcome of a permission and of a purchase as the answer of the screen", async () => {
    const permission = { type: "permissions", content: { title: "Allow?", permission: "camera" } };
    const paywall = { type: "paywall", content: { title: "Pay", products: ["yearly"] } };
    await open([permission, paywall, welcome("End")]);
    await press("Allow");
    await reply("permission", { result: "denied" });
    await press("Continue");
    await reply("purchase", { result: "purchased" });
    expect(said("screen").pop()?.answers).toEqual({ s1: "denied", s2: "yearly" });
    expect(texts.filter((text) => /^(purchase|request_permission)/.test(text))).toEqual([]);
  });

  it("shows the prices of the store", async () => {
    const product = { product_id: "y", label: "Yearly", price_text: "$39", period_text: "a year" };
    await open([{ type: "paywall", content: { title: "Pay", products: [product] } }]);
    expect(said("products")).toMatchObject([{ productIds: ["y"] }]);
    await reply("products", { products: [{ productId: "y", price: "39,99 €", trial: "7 days" }, "junk"] });
    await vi.waitFor(() => expect(document.querySelector(".amount")?.textContent).toBe("39,99 €"));
    expect(document.querySelector(".card")?.textContent).toBe("Yearly7 days39,99 €a year");
  });

  it("gives a native screen to the app", async () => {
    await open([welcome("One"), native(), welcome("Three")]);
    await press("Continue");
    expect(said("native")).toMatchObject([{ screenId: "s2", name: "sign_in", data: { theme: "dark" }, answers: {} }]);
    await reply("native", { fail: "No network" });
    expect(alert()).toBe("No network");
    await reply("native", { back: true });
    await vi.waitFor(() => expect(heading()).toBe("One"));
    await settle();
    await press("Continue");
    await reply("native", { done: true, set: { "answers.user": "ada" } });
    expect([heading(), said("screen").pop()?.answers]).toEqual(["Three", { user: "ada" }]);
  });

  it("tells of the present screen after a reload, and asks for it again", async () => {
    const screens = [welcome("One"), native({ required: true }), welcome("End")];
    await open(screens);
    await press("Continue");
    await open(screens, { isAgain: true });
    expect(said().map(({ id, type }) => [id, type])).toEqual([
      [1, "ready"],
      [2, "screen"],
      [3, "native"],
    ]);
    await reply("native", { done: true });
    expect(heading()).toBe("End");
  });

  it("passes over a native screen that the app does not know, and waits at a required one", async () => {
    await open([welcome("One"), native(), native({ required: true }), welcome("End")]);
    await press("Continue");
    await reply("native", { handled: false });
    await reply("native", { handled: false });
    expect([heading(), said("screen").pop()?.screenId]).toEqual(["Sign in", "s3"]);
    expect(alert()).toBe("This step needs the app. Please try again.");
    await press("Try again");
    await reply("native", { done: true });
    expect(heading()).toBe("End");
  });

  it("obeys the app: back, attributes, and a pause of its times", async () => {
    const known = [{ attribute: "attributes.plan", operator: "eq", value: "pro" }];
    await open([welcome("One"), welcome("Wait", { auto_advance_seconds: 1 }), { ...welcome("Pro"), showIf: known }]);
    await tell({ type: "attributes", attributes: { plan: "pro" } });
    await press("Continue");
    await tell({ type: "back" });
    await vi.waitFor(() => expect(heading()).toBe("One"));
    await settle();
    await press("Continue");
    await tell({ type: "pause" });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(heading()).toBe("Wait");
    await tell({ type: "resume" });
    await vi.advanceTimersByTimeAsync(1_500);
    expect(heading()).toBe("Pro");
  });

  it("takes an answer that comes before the receiver returns", async () => {
    await open([welcome("One", { required: true }), welcome("Two")]);
    vi.stubGlobal("flutter_bridge", {
      postMessage: (text: string) => {
        const { id, type } = text.startsWith("onboarding:") ? JSON.parse(text.slice("onboarding:".length)) : {};
        const host = (window as unknown as { onboardingHost(text: string): void }).onboardingHost;
        if (type === "step") host(JSON.stringify({ v: 2, re: id, go: "next" }));
      },
    });
    await press("Continue");
    expect(heading()).toBe("Two");
  });

  it("ignores junk, late answers and those of others", async () => {
    await open([welcome("One", { required: true }), welcome("Two")]);
    await press("Continue");
    const host = (window as unknown as { onboardingHost(text: unknown): void }).onboardingHost;
    const id = said("step")[0]?.id;
    const go = { v: 2, re: id, go: "next" };
    const long = JSON.stringify({ ...go, x: "x".repeat(70_000) });
    for (const junk of [
      7,
      null,
      "",
      "[]",
      "{",
      long,
      JSON.stringify({ ...go, v: 1 }),
      JSON.stringify({ ...go, re: 99 }),
    ]) {
      host(junk);
    }
    await settle();
    expect(heading()).toBe("One");
    await tell({ re: id, go: "next" });
    await tell({ re: id, go: "end" });
    expect(heading()).toBe("Two");
  });
});

describe("a required step", () => {
  it.each([{ app: false }, { app: true, talks: false }])("waits without an SDK of ours: %j", async (around) => {
    await open([welcome("One"), native({ required: true }), welcome("End")], around);
    await press("Continue");
    expect([heading(), alert()]).toEqual(["Sign in", "This step needs the app. Please try again."]);
    await press("Try again");
    await vi.advanceTimersByTimeAsync(60_000);
    expect([heading(), alert()]).toEqual(["Sign in", "This step needs the app. Please try again."]);
  });
});
