import { describe, expect, it, vi } from "vitest";
import type { Event } from "./events";
import { type Content, find, heading, load, open, page, pop, press, settle, types, usePage, welcome } from "./livePage";

usePage();

describe("impatient fingers", () => {
  it("do not skip a screen or buy by a second tap", async () => {
    const paywall = { type: "paywall", content: { title: "Pay", products: ["Yearly"] } };
    await open([welcome("Hello"), paywall, welcome("End")]);
    find(".primary").click();
    find(".primary").click();
    await settle();
    expect(heading()).toBe("Pay");
    expect(types()).not.toContain("paywall_purchase_chosen");
  });

  it("do nothing while the app asks for a permission", async () => {
    const permission = { type: "permissions", content: { title: "Allow?", permission: "tracking" } };
    await open([{ ...permission, settings: { skippable: true } }, welcome("Second"), welcome("Third")], { app: true });
    find(".primary").click();
    await vi.advanceTimersByTimeAsync(100);
    await press(".bar > :last-child");
    expect(heading()).toBe("Allow?");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(heading()).toBe("Second");
    expect(page.messages).toContain("request_permission:tracking");
  });

  it("leave a screen whose wait was ended by Back where it is", async () => {
    const permission = { type: "permissions", content: { title: "Allow?" } };
    await open([welcome("One"), permission, welcome("Three")], { app: true });
    await press();
    find(".primary").click();
    pop({ screenId: "s1" });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(heading()).toBe("One");
    expect(types().filter((type) => type === "screen_completed")).toHaveLength(1);
  });
});

describe("a change of the colour scheme", () => {
  it("keeps what was typed", async () => {
    await open([{ type: "question_text", content: { question: "Who?" } }]);
    find<HTMLInputElement>("#answer").value = "Ada";
    page.changeScheme();
    expect(find<HTMLInputElement>("#answer").value).toBe("Ada");
  });
});

describe("the end", () => {
  it("closes when the service has taken all events", async () => {
    await open([{ type: "question_text", content: { question: "Who?" } }], { app: true });
    find<HTMLInputElement>("#answer").value = "Ada";
    await press();
    expect(types().pop()).toBe("flow_completed");
    expect(page.messages.map((message) => message.split(":{")[0])).toEqual([
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
    page.reply = answer;
    find(".primary").click();
    await vi.advanceTimersByTimeAsync(1_600);
    expect(page.messages.pop()).toBe("close_pressed");
    const pending = page.messages.pop() ?? "";
    expect(pending.startsWith("pending_events:")).toBe(true);
    const left = JSON.parse(pending.slice("pending_events:".length)) as Event[];
    expect(left.map(({ eventType }) => eventType)).toEqual(["screen_completed", "flow_completed"]);
  });

  it("stays, and nothing is recorded or stored afterwards", async () => {
    await open([welcome("One"), welcome("Two")]);
    await press();
    await press();
    const { sessionId } = page.events[0] as Event;
    const recorded = () => page.events.filter((event) => event.sessionId === sessionId).length;
    const before = recorded();
    pop({ screenId: "s1" });
    await settle();
    expect(heading()).toBe("All done");
    expect(recorded()).toBe(before);
    expect(sessionStorage.getItem("onboarding.visit.flow_1.d1")).toBeNull();
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
    sessionStorage.setItem("onboarding.visit.flow_1.d1", JSON.stringify(stored));
    history.replaceState({ index: 1, depth: 1 }, "");
    await load([one as Content, question, three as Content]);
    expect([heading(), find<HTMLInputElement>("#answer").value]).toEqual(["Who?", "Ada"]);
    pop({ index: 2, depth: 2 });
    await settle();
    expect([heading(), location.pathname]).toEqual(["Three", "/s/ticket/onboarding/flow_1/3"]);
    expect(new Set(page.events.map(({ sessionId }) => sessionId))).toEqual(new Set(["session"]));
  });

  it.each(["{", '"text"', '{"path":7,"answers":[null,3]}', '{"path":["gone"],"ahead":{}}'])(
    "begins at the first screen where the stored state is %s",
    async (stored) => {
      await open(flow);
      sessionStorage.setItem("onboarding.visit.flow_1.d1", stored);
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

describe("what the app hears", () => {
  it("has the product, the restoring of purchases, and time for them", async () => {
    const content = {
      title: "Pay",
      products: [{ product_id: "yearly", label: "Yearly" }],
      secondary_button: { label: "Restore", action: "restore" },
    };
    await open([{ type: "paywall", content }, { type: "paywall", content }, welcome("Next")], { app: true });
    await press();
    expect([heading(), page.messages.pop()]).toEqual(["Pay", "purchase:yearly"]);
    await vi.advanceTimersByTimeAsync(1_000);
    await press(".secondary");
    expect(page.messages.pop()).toBe("restore_purchases");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(heading()).toBe("Next");
  });

  it("has the texts of a sign-up, which the service does not get", async () => {
    const content = { title: "Join", fields: [{ name: "email" }, { name: "password" }], providers: ["apple"] };
    await open([{ type: "signup", content }, { type: "signup", content }, welcome("Next")], { app: true });
    find<HTMLInputElement>("#field-email").value = " ada@example.com ";
    await press();
    expect(page.messages.pop()).toBe('signup:{"method":"email","fields":{"email":"ada@example.com"}}');
    await vi.advanceTimersByTimeAsync(1_000);
    await press(".ways .outline");
    expect(page.messages.pop()).toBe('signup:{"method":"apple","fields":{"email":""}}');
    expect(JSON.stringify(page.events)).not.toContain("ada@example.com");
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
    expect(page.messages.pop()).toBe("open_url:https://a.example/terms");
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

describe("events", () => {
  it("have the context of the address, which the service judges", async () => {
    const context = "appVersion=2.1.0&locale=de&attributes=%7B%22plan%22%3A%22pro%22%7D&assignmentToken=t";
    await open([welcome("One")], { query: `&${context}&other=x` });
    expect(page.urls[0]).toBe(`/s/ticket/api/analytics/events?${context}`);
    expect(page.events[0]).toMatchObject({ appVersion: "2.1.0", locale: "de", sentAt: expect.stringMatching(/Z$/) });
    expect(page.events[0]).not.toHaveProperty("context");
    expect(page.events[0]).not.toHaveProperty("variant");
  });
});
