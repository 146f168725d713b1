import { MantineProvider } from "@mantine/core";
import type { Json } from "@onboarding/flow/json";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Dashboard, DashboardProvider } from "@/api/dashboard";
import { draftServiceDocument } from "@/testing/draftService";
import type { FlowDocument } from "../document";
import { Phone } from "./Phone";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const queryClient = new QueryClient();
const EDGE = "http://edge.test";
const NOBODY = {};
const EMPTY = {};
const frame = () => screen.getByTitle<HTMLIFrameElement>("Preview");

function say(message: object): void {
  const source = frame().contentWindow;
  act(() => void window.dispatchEvent(new MessageEvent("message", { data: message, origin: EDGE, source })));
}

/** Show a document; the function shows another screen or document. */
function show(document: FlowDocument) {
  const view = (shown: FlowDocument, screenId: string, stored?: Json) => (
    <QueryClientProvider client={queryClient}>
      <MantineProvider env="test">
        <DashboardProvider value={{ config: { edge_url: EDGE } } as Dashboard}>
          <Phone
            flow={{ projectId: "proj_1", projectName: "Sample", flowId: "flow_1", document: shown, theme: null }}
            screenId={screenId}
            onScreen={onScreen}
            onState={onState}
            {...(stored && { walk: { context: NOBODY, stored } })}
          />
        </DashboardProvider>
      </MantineProvider>
    </QueryClientProvider>
  );
  const onScreen = vi.fn();
  const onState = vi.fn();
  const { rerender } = render(view(document, "screen_1", EMPTY));
  const showNext = (next: FlowDocument, screenId: string, stored: Json = EMPTY) =>
    rerender(view(next, screenId, stored));
  return { onScreen, onState, showNext };
}

test("step inside the preview is not sent back to it, a change of the document is", () => {
  const document = draftServiceDocument({ title: "Hello" });
  const { onScreen, showNext } = show(document);
  const post = vi.spyOn(frame().contentWindow as Window, "postMessage");
  say({ type: "onboarding:preview-ready" });
  expect(post).toHaveBeenCalledTimes(1);
  say({ type: "onboarding:preview-screen", screenId: "screen_2" });
  expect(onScreen).toHaveBeenCalledWith("screen_2");
  showNext(document, "screen_2");
  expect(post).toHaveBeenCalledTimes(1);
  showNext({ ...document, name: "Journey" }, "screen_2");
  expect(post).toHaveBeenCalledTimes(2);
});

test("state of the page is not sent back to it, one that the player sets is", () => {
  const document = draftServiceDocument({ title: "Hello" });
  const { onState, showNext } = show(document);
  const post = vi.spyOn(frame().contentWindow as Window, "postMessage");
  say({ type: "onboarding:preview-ready" });
  const state = { path: ["screen_1", "screen_2"], answers: [] };
  say({ type: "onboarding:preview-screen", screenId: "screen_2", state });
  expect(onState).toHaveBeenCalledWith(state);
  showNext(document, "screen_2", onState.mock.calls[0]?.[0]);
  expect(post).toHaveBeenCalledTimes(1);
  const other = { path: ["screen_2"], answers: [] };
  showNext(document, "screen_2", other);
  expect(post.mock.calls[1]?.[0]).toMatchObject({ screenId: "screen_2", state: other });
  // A page of an older release.
  say({ type: "onboarding:preview-screen", screenId: "screen_1" });
  expect(onState).toHaveBeenLastCalledWith(null);
});

test("frame that is moved gets nothing until its page has loaded again", () => {
  const document = draftServiceDocument({ title: "Hello" });
  const { showNext } = show(document);
  say({ type: "onboarding:preview-ready" });
  const before = frame().contentWindow;
  // As React does when screens change places.
  frame().parentElement?.append(frame());
  expect(frame().contentWindow).not.toBe(before);
  const post = vi.spyOn(frame().contentWindow as Window, "postMessage");
  showNext({ ...document, name: "Journey" }, "screen_1");
  expect(post).not.toHaveBeenCalled();
  say({ type: "onboarding:preview-ready" });
  expect(post).toHaveBeenCalledTimes(1);
});

test("preview that does not load in five seconds says why, and is loaded again on request", () => {
  show(draftServiceDocument({}));
  act(() => void vi.advanceTimersByTime(4900));
  expect(screen.queryByRole("alert")).toBeNull();
  act(() => void vi.advanceTimersByTime(200));
  expect(screen.getByRole("alert").textContent).toContain(EDGE);
  const before = frame();
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(frame()).not.toBe(before);
  say({ type: "onboarding:preview-ready" });
  act(() => void vi.advanceTimersByTime(6000));
  expect(screen.queryByRole("alert")).toBeNull();
});

test("pseudo-locale changes the texts of the preview alone", () => {
  const document = draftServiceDocument({ title: "Hello" });
  show(document);
  const post = vi.spyOn(frame().contentWindow as Window, "postMessage");
  say({ type: "onboarding:preview-ready" });
  const choose = (name: RegExp) => {
    fireEvent.click(screen.getByRole("button", { name: "Texts to test translations" }));
    fireEvent.click(screen.getByRole("menuitem", { name, hidden: true }));
    return post.mock.lastCall?.[0] as { dir: string; locale: string };
  };
  const longer = choose(/en-XA/);
  expect(longer).toMatchObject({ dir: "ltr", locale: "en" });
  expect(JSON.stringify(longer)).toContain("[Ĥéļļö o]");
  expect(choose(/ar-XB/)).toMatchObject({ dir: "rtl", locale: "en" });
  expect(JSON.stringify(choose(/as they are/))).toContain('"Hello"');
});
