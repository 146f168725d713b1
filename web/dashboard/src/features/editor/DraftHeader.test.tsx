import { MantineProvider } from "@mantine/core";
import { Notifications, notifications } from "@mantine/notifications";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { DraftService, draftServiceDocument, openTab } from "@/testing/draftService";
import { DraftHeader } from "./DraftHeader";
import type { FlowDraftStore } from "./draft/draftStore";
import { useDraft } from "./draft/useDraft";
import { useScheduledPublication } from "./publish/useScheduledPublication";

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
  notifications.clean();
});

let service: DraftService;

const schedule = { id: "sched_1", action: "publish", run_at: "2027-01-04T09:00:00Z", void_reason: null };

/** Show the header of a flow with a draft, and with schedules. */
async function show(schedules: object[], children = <input aria-label="Note" />): Promise<FlowDraftStore> {
  vi.stubGlobal("fetch", async ({ url }: Request) => {
    const data = url.includes("/projects/") ? { settings: { default_flow_id: null } } : schedules;
    return Response.json({ success: true, data, pagination: {} });
  });
  service = new DraftService(draftServiceDocument({ title: "Hello" }));
  service.saveAs("user_1", (document) => document);
  const { store } = await openTab(service);
  function Header() {
    const publication = useScheduledPublication(useDraft(store));
    return <DraftHeader store={store} canEdit publication={publication} title="Tour" />;
  }
  const View = () => (
    <>
      <Header />
      {children}
    </>
  );
  const history = createMemoryHistory();
  const router = createRouter({ routeTree: createRootRoute({ component: View }), history });
  await router.load();
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <Notifications />
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return store;
}

const rename = (store: FlowDraftStore) => store.change({ ...store.document, name: "Journey" });
const pressUndo = (target: Element) => fireEvent.keyDown(target, { key: "z", code: "KeyZ", ctrlKey: true });

test("undo in a dialog belongs to its field, elsewhere to the flow", async () => {
  const store = await show(
    [],
    <div role="dialog">
      <input aria-label="Note" />
    </div>,
  );
  rename(store);
  const dialog = screen.getByRole("dialog");
  expect(pressUndo(screen.getByLabelText("Note"))).toBe(true);
  expect(store.document.name).toBe("Journey");
  dialog.removeAttribute("role");
  expect(pressUndo(screen.getByLabelText("Note"))).toBe(false);
  expect(store.document.name).toBe("Tour");
});

test("state of the flow stands beside its title, with what a schedule will change", async () => {
  await show([{ ...schedule, action: "archive", version: null, activate: false, state: "pending" }]);
  await screen.findByRole("link", { name: /^Archive on / });
  expect(screen.getByText("Active")).toBeDefined();
  expect(screen.getByRole("link", { name: "Everyone" })).toBeDefined();
});

test("publishing says why it does not begin while the changes cannot be saved", async () => {
  const store = await show([]);
  rename(store);
  service.isOnline = false;
  fireEvent.click(screen.getByRole("button", { name: "Publish" }));
  await screen.findByText("Your changes are not saved yet. Try again when they are.");
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("first edit of a draft that is scheduled asks, because it voids the schedule", async () => {
  const store = await show([{ ...schedule, state: "pending" }]);
  rename(store);
  await store.flush();
  await screen.findByText(/The draft goes live/);
  pressUndo(screen.getByLabelText("Note"));
  fireEvent.click(await screen.findByRole("button", { name: "Change the draft" }));
  await vi.waitFor(() => expect(store.document.name).toBe("Tour"));
});

test.each([
  [{ state: "pending", void_reason: "draft_changed" }, /does not go live/],
  [{ state: "failed", ended_at: "2027-01-04T09:00:00Z" }, /did not go live/],
])("schedule that cannot run or has failed is an alert: %o", async (state, words) => {
  await show([{ ...schedule, ...state }]);
  expect((await screen.findByRole("alert")).textContent).toMatch(words);
});
