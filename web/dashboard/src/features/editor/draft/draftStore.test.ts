import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DraftService, draftServiceDocument as document, openTab } from "@/testing/draftService";
import type { FlowDocument } from "../document";
import { withTranslation } from "../languages/translating";
import type { FlowDraftStore, Notice } from "./draftStore";

let service: DraftService;
beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 });
  service = new DraftService(document({ title: "Hello" }));
});
afterEach(() => {
  vi.useRealTimers();
  localStorage.clear();
});

const wait = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);
const contentOf = ({ screens }: FlowDocument) => screens[0]?.content ?? {};

/** Type into a member of the first screen. */
function type(store: FlowDraftStore, value: string, member = "title"): void {
  const { document } = store;
  const screens = document.screens.map((screen, place) =>
    place === 0 ? { ...screen, content: { ...screen.content, [member]: value } } : screen,
  );
  store.change({ ...document, screens }, member);
}

test("quick changes are one save after a pause", async () => {
  const { store } = await openTab(service);
  type(store, "A");
  await wait(300);
  type(store, "AB");
  expect(store.state.kind).toBe("saving");
  await wait(800);
  expect(store.state.kind).toBe("saved");
  expect(service.saves).toBe(1);
  expect(contentOf(service.document).title).toBe("AB");
});

test("changes that are undone before they are saved need no save", async () => {
  const { store } = await openTab(service);
  type(store, "A");
  store.undo();
  await wait(2000);
  expect(store.state.kind).toBe("saved");
  expect(service.saves).toBe(0);
});

test("flushes at once send one request at a time and make no conflict", async () => {
  const { store } = await openTab(service);
  service.delay = 400;
  type(store, "A");
  await wait(750);
  type(store, "AB");
  const saved = [store.flush(), store.flush()];
  await wait(2000);
  expect(await Promise.all(saved)).toEqual([true, true]);
  expect(service).toMatchObject({ saves: 2, rejected: 0, mostAtOnce: 1 });
});

test("changes during a slow save are saved after a pause", async () => {
  const { store } = await openTab(service);
  service.delay = 1500;
  type(store, "A");
  await wait(720);
  type(store, "AB");
  await wait(5000);
  expect(service).toMatchObject({ saves: 2, rejected: 0, mostAtOnce: 1 });
  expect(contentOf(service.document).title).toBe("AB");
});

test("lost response is no conflict", async () => {
  const { store, notices } = await openTab(service);
  service.fault = "lose response";
  type(store, "A");
  await wait(1000);
  expect(store.state).toEqual({ kind: "waiting", changes: 1 });
  type(store, "AB");
  await wait(6000);
  expect(store.state.kind).toBe("saved");
  expect(contentOf(service.document).title).toBe("AB");
  expect(notices).toEqual([]);
});

test("request that the network doubles is no conflict", async () => {
  const { store } = await openTab(service);
  service.fault = "double";
  type(store, "A");
  await wait(1000);
  expect(store.state.kind).toBe("saved");
  expect(service.rejected).toBe(1);
});

test("value that the service writes in another form is no change of another person", async () => {
  const { store } = await openTab(service);
  service.normalize = ({ ...written }) => ({ ...written, description: written.description?.trim() ?? null });
  store.change({ ...store.document, description: " About " });
  await wait(1000);
  service.saveAs("user_2", (other) => ({ ...other, name: "Theirs" }));
  type(store, "A");
  await wait(1000);
  expect(store.state.kind).toBe("saved");
  expect(service.document).toMatchObject({ name: "Theirs", description: "About" });
});

test("changes wait without a connection, are counted, and survive the end of the tab", async () => {
  const tab = await openTab(service);
  service.isOnline = false;
  type(tab.store, "A");
  await wait(1000);
  type(tab.store, "Subtitle", "subtitle");
  expect(tab.store.state).toEqual({ kind: "waiting", changes: 2 });
  expect(tab.store.isAtRisk).toBe(true);
  tab.close();
  service.isOnline = true;
  const { store, notices } = await openTab(service);
  expect(notices).toEqual([{ kind: "restored" }]);
  await wait(1000);
  expect(contentOf(service.document)).toMatchObject({ title: "A", subtitle: "Subtitle" });
  expect(store.state.kind).toBe("saved");
  expect(localStorage.length).toBe(0);
});

test("tab that ends during a save restores nothing that the service has", async () => {
  const tab = await openTab(service);
  service.delay = 400;
  type(tab.store, "A");
  await wait(800);
  tab.close();
  await wait(1000);
  const { store, notices } = await openTab(service);
  await wait(5000);
  expect(store.state.kind).toBe("saved");
  expect(notices).toEqual([]);
  expect(service).toMatchObject({ saves: 1, rejected: 0 });
});

test("page that ends sends what is unsaved by a request that outlives it", async () => {
  const { store } = await openTab(service);
  type(store, "A");
  store.leave();
  await wait(0);
  expect(service.lastRequests).toBe(1);
  expect(store.state.kind).toBe("saved");
});

test("browser without room for unsaved changes asks before the page ends", async () => {
  const { store } = await openTab(service);
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("Full", "QuotaExceededError");
  });
  type(store, "A");
  expect(store.isAtRisk).toBe(true);
  await wait(1000);
  expect(store.isAtRisk).toBe(false);
});

test("changes of another person at other places are merged, and undo keeps them", async () => {
  const { store, notices } = await openTab(service);
  type(store, "Mine");
  await wait(1000);
  service.saveAs("user_2", (other) => ({ ...other, name: "Theirs" }));
  type(store, "Mine, too", "subtitle");
  await wait(1000);
  expect(store.state.kind).toBe("saved");
  expect(notices).toEqual([{ kind: "merged", by: "user_2", replaced: false }]);
  store.undo();
  store.undo();
  await wait(1000);
  expect(service.document.name).toBe("Theirs");
  expect(contentOf(service.document)).toEqual({ title: "Hello" });
});

test("variables of two people are merged by their names, and one formula of both is a conflict", async () => {
  const named = (formulas: Record<string, string>) => ({
    variables: Object.entries(formulas).map(([name, formula]) => ({ name, formula })),
  });
  const { store } = await openTab(service);
  store.change({ ...store.document, ...named({ a: "1", b: "2", c: "3" }) });
  await wait(1000);
  service.saveAs("user_2", (other) => ({ ...other, ...named({ a: "1", theirs: "5", c: "4" }) }));
  store.change({ ...store.document, ...named({ a: "6", b: "2", c: "3", mine: "7" }) });
  await wait(1000);
  expect(store.state.kind).toBe("saved");
  expect(service.document).toMatchObject(named({ a: "6", theirs: "5", c: "4", mine: "7" }));
  service.saveAs("user_2", (other) => ({ ...other, ...named({ a: "8" }) }));
  store.change({ ...store.document, ...named({ a: "9" }) });
  await wait(1000);
  expect(store.state.kind).toBe("conflict");
  await store.resolve("theirs");
  expect(service.document).toMatchObject(named({ a: "8" }));
  service.saveAs("user_2", ({ variables: _, ...other }) => other);
  await store.refresh();
  expect("variables" in store.document).toBe(false);
});

test("translations of two people are merged, and one text of both is a conflict", async () => {
  const { store } = await openTab(service);
  const translate = (document: FlowDocument, locale: string, text: string) =>
    withTranslation(document, "screen_1", locale, "/title", { text, source: "Hello" });
  service.saveAs("bob", (document) => translate(document, "fr", "Bonjour"));
  store.change(translate(store.document, "de", "Hallo"));
  await wait(2000);
  expect(store.state.kind).toBe("saved");
  expect(service.document.screens[0]?.localizations).toEqual({
    de: { "/title": { text: "Hallo", source: "Hello" } },
    fr: { "/title": { text: "Bonjour", source: "Hello" } },
  });
  service.saveAs("bob", (document) => translate(document, "de", "Guten Tag"));
  store.change(translate(store.document, "de", "Servus"));
  await wait(2000);
  expect(store.state.kind).toBe("conflict");
  await store.resolve("mine");
  store.change(translate(translate(store.document, "de", ""), "fr", ""));
  await store.flush();
  expect(service.document.screens[0]).not.toHaveProperty("localizations");
  store.undo();
  await store.flush();
  expect(Object.keys(service.document.screens[0]?.localizations ?? {}).sort()).toEqual(["de", "fr"]);
});

test("change of another person at the same place is a conflict, which no later change overwrites", async () => {
  const { store } = await openTab(service);
  service.saveAs("user_2", (other) => ({ ...other, name: "Theirs" }));
  store.change({ ...store.document, name: "Mine" });
  type(store, "A");
  await wait(1000);
  expect(store.state.kind).toBe("conflict");
  store.change({ ...store.document, name: "Mine, later" });
  await wait(9000);
  expect(service.document.name).toBe("Theirs");
  await store.resolve("mine");
  expect(service.document.name).toBe("Mine, later");
  expect(contentOf(service.document).title).toBe("A");
  store.undo();
  await wait(1000);
  expect(service.document.name).toBe("Theirs");
});

test("their side of a conflict is taken with the changes at other places", async () => {
  const { store } = await openTab(service);
  service.saveAs("user_2", (other) => ({ ...other, name: "Theirs" }));
  store.change({ ...store.document, name: "Mine" });
  type(store, "A");
  await wait(1000);
  await store.resolve("theirs");
  expect(service.document.name).toBe("Theirs");
  expect(contentOf(service.document).title).toBe("A");
});

test("one person in two tabs has no conflict: the later save wins, and undo brings the other back", async () => {
  const [first, second] = [await openTab(service), await openTab(service)];
  type(first.store, "First");
  await wait(1000);
  type(second.store, "Second");
  await wait(1000);
  expect(second.store.state.kind).toBe("saved");
  expect(second.notices).toEqual([{ kind: "merged", by: "user_1", replaced: true }]);
  expect(contentOf(service.document).title).toBe("Second");
  second.store.undo();
  expect(contentOf(second.store.document).title).toBe("First");
});

test("draft that is discarded elsewhere is created again by the next change", async () => {
  const { store } = await openTab(service);
  type(store, "A");
  await wait(1000);
  service.discard();
  type(store, "Subtitle", "subtitle");
  await wait(1000);
  expect(contentOf(service.document)).toEqual({ title: "Hello", subtitle: "Subtitle" });
});

test("refresh takes in what others have saved, and sends nothing", async () => {
  const { store } = await openTab(service);
  service.saveAs("user_2", (other) => ({ ...other, name: "Theirs" }));
  await store.refresh();
  expect(store.document.name).toBe("Theirs");
  expect(store.state.kind).toBe("saved");
  expect(service.saves).toBe(1);
});

test("rejected save shows its details, and is repeated with the next change", async () => {
  const { store } = await openTab(service);
  service.fault = "reject";
  type(store, "A");
  await wait(1000);
  expect(store.state).toMatchObject({ kind: "failed", details: [{ field: "document.screens.0.content" }] });
  type(store, "AB");
  await wait(1000);
  expect(store.state.kind).toBe("saved");
});

test("quick changes of one field are undone together, others are steps of their own", async () => {
  const { store } = await openTab(service);
  type(store, "A");
  type(store, "AB");
  await wait(5000);
  type(store, "ABC");
  store.undo();
  expect(contentOf(store.document).title).toBe("AB");
  store.undo();
  expect(contentOf(store.document).title).toBe("Hello");
  store.redo();
  expect(contentOf(store.document).title).toBe("AB");
  type(store, "Other", "subtitle");
  expect(store.canRedo).toBe(false);
});

/** Return a function with random integers below a limit, the same for each seed (mulberry32). */
function randomOf(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/**
 * Two tabs of one person and one other person edit a flow, each at places of their own, while requests are delayed,
 * lost and doubled, and tabs are offline, closed and opened again.
 */
async function editAtRandom(seed: number) {
  const random = randomOf(seed);
  const tabs = [await openTab(service), await openTab(service)];
  const typed: Record<string, string> = { 0: "", 1: "", other: "" };
  const notices: Notice[] = [];
  for (let step = 0; step < 40; step += 1) {
    const place = random(2);
    const tab = tabs[place] as (typeof tabs)[0];
    const member = `of${place}`;
    service.delay = random(3) * 400;
    switch (random(9)) {
      case 0:
      case 1:
      case 2:
        type(tab.store, `${seed}.${step}`, member);
        break;
      case 3:
        tab.store.undo();
        break;
      case 4:
        tab.store.redo();
        break;
      case 5:
        service.saveAs("user_2", (other) => ({ ...other, description: `${step}` }));
        typed.other = `${step}`;
        break;
      case 6:
        service.fault = (["lose request", "lose response", "double"] as const)[random(3)] ?? null;
        void tab.store.flush();
        break;
      case 7:
        service.isOnline = random(3) > 0;
        break;
      default: {
        notices.push(...tab.notices);
        tab.close();
        const isOnline = service.isOnline;
        service.isOnline = true;
        tabs[place] = await openTab(service);
        service.isOnline = isOnline;
      }
    }
    typed[place] = String(contentOf((tabs[place] as (typeof tabs)[0]).store.document)[member] ?? "");
    await wait(random(4) * 500);
    expect(tabs.map(({ store }) => store.state.kind)).not.toContain("conflict");
  }
  service.isOnline = true;
  service.fault = null;
  await wait(30_000);
  return { typed, tabs, notices: [...notices, ...tabs.flatMap((tab) => tab.notices)] };
}

test("200 random sequences lose nothing that was typed and have no conflict with oneself", async () => {
  for (let seed = 0; seed < 200; seed += 1) {
    localStorage.clear();
    service = new DraftService(document({ title: "Hello" }));
    const { typed, tabs, notices } = await editAtRandom(seed);
    const { of0 = "", of1 = "" } = contentOf(service.document);
    expect({ seed, 0: of0, 1: of1, other: service.document.description ?? "" }).toEqual({ seed, ...typed });
    expect(tabs.map(({ store }) => store.state.kind)).toEqual(["saved", "saved"]);
    expect(notices.filter((notice) => notice.kind === "merged" && notice.replaced)).toEqual([]);
    expect(service.mostAtOnce).toBe(1);
  }
}, 60_000);
