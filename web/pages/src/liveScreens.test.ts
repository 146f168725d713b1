import { describe, expect, it, vi } from "vitest";
import { type Content, find, heading, open, pop, press, pressBack, settle, types, usePage, welcome } from "./livePage";

usePage();

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
    await pressBack();
    await vi.advanceTimersByTimeAsync(5_000);
    expect([heading(), done()]).toEqual(["Wait", ["One", "Two"]]);
    await press();
    expect(heading()).toBe("Second");
  });

  it("stays where it is when the user leaves it in time", async () => {
    await open([welcome("First"), screen, welcome("Third")]);
    await press();
    pop({ screenId: "s1" });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(heading()).toBe("First");
  });
});

describe("the close button of a paywall", () => {
  it("is recorded", async () => {
    await open([{ type: "paywall", content: { title: "Pay", close_button: true } }, welcome("Next")]);
    await press(".bar > :last-child");
    expect([heading(), types().includes("paywall_dismissed")]).toEqual(["Next", true]);
  });
});

describe("a summary of a consent", () => {
  it("has words for its answers", async () => {
    const items = [
      { name: "news", label: "News" },
      { name: "tips", label: "Tips" },
    ];
    const rows = [{ label: "News", text: "{{answers.news}}" }, "{{answers.tips}}"];
    await open([
      { type: "consent", content: { title: "Choose", items } },
      { type: "summary", content: { title: "Plan", rows } },
    ]);
    find("input").click();
    await press();
    expect([...document.querySelectorAll(".rows .item-title")].map(({ textContent }) => textContent)).toEqual([
      "Yes",
      "No",
    ]);
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
    pop({ screenId: "s1" });
    await settle();
    expect([heading(), isWaiting()]).toEqual(["Moment", false]);
  });

  it("complete it, and leave it after Back", async () => {
    await open([welcome("First"), moment({ auto_advance_seconds: 3 }), welcome("Last")]);
    await press();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(heading()).toBe("Last");
    pop({ screenId: "s2" });
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

describe("names of the team", () => {
  it("are not shown", async () => {
    await open([{ type: "welcome", content: {} }]);
    expect(document.body.textContent).not.toContain("Internal name");
    expect([heading(), find("h1").className]).toEqual(["Shop", "unseen"]);
  });
});
