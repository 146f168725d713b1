import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Event } from "./events";
import { startFlow } from "./live";

type Content = Record<string, unknown>;

let messages: string[];
let events: Event[];
let urls: string[];
let reply: () => Promise<Response>;
let changeScheme: () => void;
/** Pages of other tests still listen, so each one has a device of its own. */
let device = 0;

/** Show a flow in a new page. With `app` there is a bridge, which keeps the messages. */
async function open(screens: Content[], { app = false, query = "" } = {}): Promise<void> {
  sessionStorage.clear();
  localStorage.clear();
  device += 1;
  history.replaceState(null, "", `/s/ticket/onboarding/flow_1/1?deviceId=d${device}${query}`);
  await load(screens, app);
}

/** Load the page of the present address. */
async function load(screens: Content[], app = false): Promise<void> {
  messages = [];
  events = [];
  urls = [];
  if (app) {
    vi.stubGlobal("flutter_bridge", { postMessage: (text: string) => void messages.push(text) });
  }
  // The document of another test has its direction.
  document.documentElement.removeAttribute("dir");
  document.body.innerHTML = '<div id="app"></div>';
  const source = { projectId: "p", projectName: "Shop", flowId: "flow_1", analyticsEnabled: true, recordAnswers: true };
  const shown = screens.map((screen, index) => ({ id: `s${index + 1}`, name: "Internal name", ...screen }));
  await startFlow(document.getElementById("app") as HTMLElement, JSON.stringify({ ...source, screens: shown }));
  await settle();
}

const settle = () => vi.advanceTimersByTimeAsync(400);
const heading = () => document.querySelector("h1")?.textContent;
const find = <Found extends Element = HTMLElement>(selector: string) => document.querySelector(selector) as Found;
const primary = () => find(".primary");
const press = async (selector = ".primary") => {
  find(selector).click();
  await settle();
};
const types = () => events.map(({ eventType }) => eventType);
const welcome = (title: string) => ({ type: "welcome", content: { title } });

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ["setTimeout", "setInterval", "clearTimeout", "Date", "performance", "requestAnimationFrame"],
  });
  reply = async () => Response.json({ success: true });
  vi.stubGlobal("fetch", async (url: string, request: RequestInit) => {
    urls.push(url);
    const response = await reply();
    if (response.ok) {
      events.push(...(JSON.parse(String(request.body)) as { events: Event[] }).events);
    }
    return response;
  });
  vi.stubGlobal("scrollTo", () => undefined);
  vi.stubGlobal("matchMedia", () => ({
    matches: false,
    addEventListener: (_: string, listener: () => void) => {
      changeScheme = listener;
    },
  }));
});

afterEach(() => {
  vi.clearAllTimers();
  vi.useRealTimers();
});

describe("impatient fingers", () => {
  it("do not skip a screen or buy by a second tap", async () => {
    const paywall = { type: "paywall", content: { title: "Pay", products: ["Yearly"] } };
    await open([welcome("Hello"), paywall, welcome("End")]);
    primary().click();
    primary().click();
    await settle();
    expect(heading()).toBe("Pay");
    expect(types()).not.toContain("paywall_purchase_chosen");
  });

  it("do nothing while the app asks for a permission", async () => {
    const permission = { type: "permissions", content: { title: "Allow?", permission: "tracking" } };
    await open([{ ...permission, settings: { skippable: true } }, welcome("Second"), welcome("Third")], { app: true });
    primary().click();
    await vi.advanceTimersByTimeAsync(100);
    await press(".bar > :last-child");
    expect(heading()).toBe("Allow?");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(heading()).toBe("Second");
    expect(messages).toContain("request_permission:tracking");
  });

  it("leave a screen whose wait was ended by Back where it is", async () => {
    const permission = { type: "permissions", content: { title: "Allow?" } };
    await open([welcome("One"), permission, welcome("Three")], { app: true });
    await press();
    primary().click();
    window.dispatchEvent(new PopStateEvent("popstate", { state: { screenId: "s1" } }));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(heading()).toBe("One");
    expect(types().filter((type) => type === "screen_completed")).toHaveLength(1);
  });
});

describe("a screen that loads", () => {
  const screen = { type: "loading", content: { title: "Wait", steps: ["One", { label: "Two" }], seconds: 2 } };
  const done = () => [...document.querySelectorAll(".done")].map(({ textContent }) => textContent);
  const ring = () => find("[role=progressbar]").getAttribute("aria-valuenow");

  it("ticks its steps, and goes on by itself", async () => {
    await open([screen, welcome("Second")]);
    expect([find(".primary"), find("[role=status]").textContent, ring()]).toEqual([null, "One", "0"]);
    await vi.advanceTimersByTimeAsync(700);
    expect([done(), find("[role=status]").textContent, ring()]).toEqual([["One"], "Two", "50"]);
    await vi.advanceTimersByTimeAsync(1_500);
    expect([heading(), types().includes("screen_completed")]).toEqual(["Second", true]);
  });

  it("waits for its button when Back has led to it", async () => {
    await open([screen, welcome("Second")]);
    await vi.advanceTimersByTimeAsync(2_500);
    await press(".back");
    window.dispatchEvent(new PopStateEvent("popstate", { state: { screenId: "s1" } }));
    await vi.advanceTimersByTimeAsync(5_000);
    expect([heading(), done()]).toEqual(["Wait", ["One", "Two"]]);
    await press();
    expect(heading()).toBe("Second");
  });

  it("stays where it is when the user leaves it in time", async () => {
    await open([welcome("First"), screen, welcome("Third")]);
    await press();
    window.dispatchEvent(new PopStateEvent("popstate", { state: { screenId: "s1" } }));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(heading()).toBe("First");
  });
});

describe("a change of the colour scheme", () => {
  it("keeps what was typed", async () => {
    await open([{ type: "question_text", content: { question: "Who?" } }]);
    find<HTMLInputElement>("#answer").value = "Ada";
    changeScheme();
    expect(find<HTMLInputElement>("#answer").value).toBe("Ada");
  });
});

describe("the end", () => {
  it("closes when the service has taken all events", async () => {
    await open([{ type: "question_text", content: { question: "Who?" } }], { app: true });
    find<HTMLInputElement>("#answer").value = "Ada";
    await press();
    expect(types().pop()).toBe("flow_completed");
    expect(messages.map((message) => message.split(":{")[0])).toEqual([
      "initial_load_complete",
      "themeStyle:default",
      "form_responses",
      "close_pressed",
    ]);
  });

  it.each([
    ["without a network", () => Promise.reject(new TypeError("no network"))],
    ["with a network that stalls", () => new Promise<Response>(() => undefined)],
    ["with an overloaded service", async () => Response.json({}, { status: 503, headers: { "Retry-After": "60" } })],
    ["with the login page of a network", async () => new Response("<html>")],
  ])("comes within 1.5 s %s, and hands the events to the app", async (_, answer) => {
    await open([welcome("One")], { app: true });
    await vi.advanceTimersByTimeAsync(100);
    reply = answer;
    primary().click();
    await vi.advanceTimersByTimeAsync(1_600);
    expect(messages.pop()).toBe("close_pressed");
    const pending = messages.pop() ?? "";
    expect(pending.startsWith("pending_events:")).toBe(true);
    const left = JSON.parse(pending.slice("pending_events:".length)) as Event[];
    expect(left.map(({ eventType }) => eventType)).toEqual(["screen_completed", "flow_completed"]);
  });

  it("stays, and nothing is recorded or stored afterwards", async () => {
    await open([welcome("One"), welcome("Two")]);
    await press();
    await press();
    const { sessionId } = events[0] as Event;
    const recorded = () => events.filter((event) => event.sessionId === sessionId).length;
    const before = recorded();
    window.dispatchEvent(new PopStateEvent("popstate", { state: { screenId: "s1" } }));
    await settle();
    expect(heading()).toBe("All done");
    expect(recorded()).toBe(before);
    expect(sessionStorage.getItem(`onboarding.visit.flow_1.d${device}`)).toBeNull();
  });
});

describe("a reload", () => {
  const [one, two, three] = ["One", "Two", "Three"].map((title, index) => ({ id: `s${index + 1}`, ...welcome(title) }));
  const flow = [one, two, three] as Content[];

  it("keeps the screen in a flow whose screens have another order, and Back leads to what was shown before it", async () => {
    await open(flow);
    await press();
    await load([two, three, one] as Content[]);
    expect([heading(), location.pathname]).toEqual(["Two", "/s/ticket/onboarding/flow_1/1"]);
    expect(document.querySelector(".back")).toBeNull();
    await press();
    await press();
    expect([heading(), find(".back").tagName]).toEqual(["One", "BUTTON"]);
  });

  it("in a flow without the screen shows the one before it, and goes on from there", async () => {
    await open(flow);
    await press();
    await press();
    await load([one, two, { id: "s9", ...welcome("New") }] as Content[]);
    expect(heading()).toBe("Two");
    await press();
    expect(heading()).toBe("New");
    expect(types()).not.toContain("flow_started");
  });

  it("takes the position and the answers that the release before stored", async () => {
    const question = { id: "s2", type: "question_text", content: { question: "Who?" } };
    await open([one as Content, question, three as Content]);
    const answer = {
      screenId: "s2",
      questionText: "Who?",
      questionType: "question_text",
      answerKey: "s2",
      answer: "Ada",
    };
    const stored = { sessionId: "session", isStarted: true, furthest: 2, answers: [answer] };
    sessionStorage.setItem(`onboarding.visit.flow_1.d${device}`, JSON.stringify(stored));
    history.replaceState({ index: 1, depth: 1 }, "");
    await load([one as Content, question, three as Content]);
    expect([heading(), find<HTMLInputElement>("#answer").value]).toEqual(["Who?", "Ada"]);
    window.dispatchEvent(new PopStateEvent("popstate", { state: { index: 2, depth: 2 } }));
    await settle();
    expect([heading(), location.pathname]).toEqual(["Three", "/s/ticket/onboarding/flow_1/3"]);
    expect(new Set(events.map(({ sessionId }) => sessionId))).toEqual(new Set(["session"]));
  });

  it.each(["{", '"text"', '{"path":7,"answers":[null,3]}', '{"path":["gone"],"ahead":{}}'])(
    "begins at the first screen where the stored state is %s",
    async (stored) => {
      await open(flow);
      sessionStorage.setItem(`onboarding.visit.flow_1.d${device}`, stored);
      history.replaceState("odd", "");
      await load(flow);
      expect(heading()).toBe("One");
    },
  );
});

describe("a flow without screens", () => {
  it("is completed at once", async () => {
    await open([]);
    expect([heading(), types()]).toEqual(["All done", ["flow_started", "flow_completed"]]);
  });
});

describe("names of the team", () => {
  it("are not shown", async () => {
    await open([{ type: "welcome", content: {} }]);
    expect(document.body.textContent).not.toContain("Internal name");
    expect([heading(), find("h1").className]).toEqual(["Shop", "unseen"]);
  });
});

describe("what the app hears", () => {
  it("has the product, the restoring of purchases, and time for them", async () => {
    const content = {
      title: "Pay",
      products: [{ product_id: "yearly", label: "Yearly" }],
      secondary_button: { label: "Restore", action: "restore" },
    };
    await open([{ type: "paywall", content }, { type: "paywall", content }, welcome("Next")], { app: true });
    await press();
    expect([heading(), messages.pop()]).toEqual(["Pay", "purchase:yearly"]);
    await vi.advanceTimersByTimeAsync(1_000);
    await press(".secondary");
    expect(messages.pop()).toBe("restore_purchases");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(heading()).toBe("Next");
  });

  it("has the texts of a sign-up, which the service does not get", async () => {
    const content = { title: "Join", fields: [{ name: "email" }, { name: "password" }], providers: ["apple"] };
    await open([{ type: "signup", content }, { type: "signup", content }, welcome("Next")], { app: true });
    find<HTMLInputElement>("#field-email").value = " ada@example.com ";
    await press();
    expect(messages.pop()).toBe('signup:{"method":"email","fields":{"email":"ada@example.com"}}');
    await vi.advanceTimersByTimeAsync(1_000);
    await press(".ways .outline");
    expect(messages.pop()).toBe('signup:{"method":"apple","fields":{"email":""}}');
    expect(JSON.stringify(events)).not.toContain("ada@example.com");
  });

  it("is nothing in a browser, where a sign-up has no fields", async () => {
    await open([{ type: "signup", content: { title: "Join", fields: ["email"] } }, welcome("Next")]);
    expect(document.querySelector("input")).toBeNull();
    await press();
    expect(heading()).toBe("Next");
  });

  it("has the address of a link, which the page does not follow", async () => {
    const html = "<h1>Terms</h1><p><a href='https://a.example/terms'>Read</a></p>";
    await open([{ type: "custom", content: { html } }], { app: true });
    const click = new MouseEvent("click", { bubbles: true, cancelable: true });
    find("a").dispatchEvent(click);
    expect(click.defaultPrevented).toBe(true);
    expect(messages.pop()).toBe("open_url:https://a.example/terms");
  });

  it("does not matter to a link in a browser, which opens another tab", async () => {
    await open([{ type: "custom", content: { html: "<a href='https://a.example/terms'>Read</a>" } }]);
    const click = new MouseEvent("click", { bubbles: true, cancelable: true });
    find("a").addEventListener("click", (event) => {
      expect(event.defaultPrevented).toBe(false);
      event.preventDefault();
    });
    find("a").dispatchEvent(click);
    expect(find<HTMLAnchorElement>("a").target).toBe("_blank");
  });
});

describe("the close button of a paywall", () => {
  it("is recorded", async () => {
    await open([{ type: "paywall", content: { title: "Pay", close_button: true } }, welcome("Next")]);
    await press(".bar > :last-child");
    expect([heading(), types().includes("paywall_dismissed")]).toEqual(["Next", true]);
  });
});

describe("odd systems", () => {
  it("get a screen that can be left where another one fails", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    vi.stubGlobal("Intl", { ...Intl, DateTimeFormat: undefined, getCanonicalLocales: Intl.getCanonicalLocales });
    await open([{ type: "question_picker", content: { question: "Born?", picker: "date" } }, welcome("Next")]);
    expect(heading()).toBe("Born?");
    await press();
    expect(heading()).toBe("Next");
  });

  it("may refuse a change of the address", async () => {
    await open([welcome("One"), welcome("Two")]);
    vi.spyOn(history, "pushState").mockImplementation(() => {
      throw new DOMException("too many", "SecurityError");
    });
    await press();
    expect(heading()).toBe("Two");
    vi.restoreAllMocks();
  });

  it("may convert text by an input method, whose Enter submits nothing", async () => {
    await open([{ type: "question_text", content: { question: "Who?" } }, welcome("Next")]);
    const field = find("#answer");
    field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", isComposing: true }));
    await settle();
    expect(heading()).toBe("Who?");
    field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
    await settle();
    expect(heading()).toBe("Next");
  });

  it("show Gregorian dates in every language, of a bounded number of years", async () => {
    const content = { question: "Born?", picker: "date", min_value: -1e9, max_value: 1e9 };
    await open([{ type: "question_picker", content }], { query: "&locale=fa-IR" });
    const [month, year] = ["Month", "Year"].map((label) => find<HTMLSelectElement>(`[aria-label=${label}]`));
    const named = new Date(2000, 0, 1).toLocaleDateString("fa-IR", { month: "long", calendar: "gregory" });
    expect(month?.options[0]?.text).toBe(named);
    expect(year?.options.length).toBeLessThan(400);
  });
});

describe("heights and weights", () => {
  it.each([
    ["height", 183, ["6", "0"]],
    ["weight", 70, ["154"]],
  ])("of %s are converted when the unit changes", async (picker, value, expected) => {
    await open([{ type: "question_picker", content: { question: "How much?", picker, default_value: value } }]);
    const shown = () =>
      [...document.querySelectorAll<HTMLInputElement>("main select, main .figure")].map((control) => control.value);
    const [metric, imperial] = [...document.querySelectorAll<HTMLInputElement>("[name=unit]")];
    imperial?.click();
    expect(shown()).toEqual(expected);
    metric?.click();
    expect(shown()).toEqual([String(value)]);
  });
});

describe("a hint", () => {
  it("describes the control, also beside an error", async () => {
    await open([{ type: "question_text", content: { question: "Who?", hint: "Your name", required: true } }]);
    expect(find("#answer").getAttribute("aria-describedby")).toBe("hint");
    await press();
    expect(find("#answer").getAttribute("aria-describedby")).toMatch(/^hint error-\d+$/);
    find("#answer").dispatchEvent(new Event("input"));
    expect(find("#answer").getAttribute("aria-describedby")).toBe("hint");
  });
});

describe("events", () => {
  it("have the context of the address, which the service judges", async () => {
    const context = "appVersion=2.1.0&locale=de&attributes=%7B%22plan%22%3A%22pro%22%7D&assignmentToken=t";
    await open([welcome("One")], { query: `&${context}&other=x` });
    expect(urls[0]).toBe(`/s/ticket/api/analytics/events?${context}`);
    expect(events[0]).toMatchObject({ appVersion: "2.1.0", locale: "de", sentAt: expect.stringMatching(/Z$/) });
    expect(events[0]).not.toHaveProperty("context");
    expect(events[0]).not.toHaveProperty("variant");
  });
});

describe("times of a screen", () => {
  const moment = (settings: Content) => ({ ...welcome("Moment"), settings });

  it("hide its buttons for a while, and not after Back", async () => {
    await open([moment({ delay_seconds: 5 }), welcome("Next")]);
    const isWaiting = () => document.querySelector("[data-waiting]") !== null;
    expect(isWaiting()).toBe(true);
    await press();
    expect(heading()).toBe("Moment");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(isWaiting()).toBe(false);
    await press();
    window.dispatchEvent(new PopStateEvent("popstate", { state: { screenId: "s1" } }));
    await settle();
    expect([heading(), isWaiting()]).toEqual(["Moment", false]);
  });

  it("complete it, and leave it after Back", async () => {
    await open([welcome("First"), moment({ auto_advance_seconds: 3 }), welcome("Last")]);
    await press();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(heading()).toBe("Last");
    window.dispatchEvent(new PopStateEvent("popstate", { state: { screenId: "s2" } }));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(heading()).toBe("Moment");
    expect(types().filter((type) => /completed|skipped/.test(type))).toEqual(["screen_completed", "screen_completed"]);
  });

  it("end with the screen that the user has left", async () => {
    await open([welcome("First"), moment({ auto_advance_seconds: 3 }), moment({}), welcome("Last")]);
    await press();
    await press();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(document.querySelector(".step")?.textContent).toContain("3");
  });
});
