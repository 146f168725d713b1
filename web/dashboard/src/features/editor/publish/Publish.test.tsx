import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { DraftService, draftServiceDocument, openTab } from "@/testing/draftService";
import { Publish } from "./Publish";

afterEach(() => vi.unstubAllGlobals());

const changes = ["Theirs", "Mine"].map((after) => [
  { op: "replace", path: "/screens/screen_1/content/title", before: "Hello", after },
]);

/** Answer as a service whose draft a colleague has saved after the dialog read it. Return the publications' tags. */
function stubService(): (string | null)[] {
  const tags: (string | null)[] = [];
  const draft = { base_version: 1, live_version: 1, approvals: [], required_approvals: 0 };
  vi.stubGlobal("fetch", async (request: Request) => {
    const path = new URL(request.url).pathname.replace("/api/flows/flow_1", "");
    const ok = (data: unknown) => Response.json({ success: true, data }, { headers: { ETag: `"${tags.length}"` } });
    if (path === "/publish") {
      tags.push(request.headers.get("If-Match"));
      const changed = { error: "The draft has changed", code: "PRECONDITION_FAILED", details: [] };
      return tags.length === 1 ? Response.json(changed, { status: 412 }) : ok({ number: 2 });
    }
    if (path === "/draft") {
      return ok(draft);
    }
    const others = { errors: [], warnings: [], settings: {}, totals: { events: 0, users: 0 }, rows: [] };
    return ok({ ...others, changes: changes[tags.length] });
  });
  return tags;
}

test("draft whose changes are shown is published, after a change of a colleague the changes are read again", async () => {
  const tags = stubService();
  const { store } = await openTab(new DraftService(draftServiceDocument({ title: "Hello" })));
  const client = new QueryClient();
  client.setQueryData(["flows", "one", "flow_1"], {});
  const onPublished = vi.fn();
  const show = () =>
    render(
      <MantineProvider env="test">
        <QueryClientProvider client={client}>
          <Publish store={store} onPublished={onPublished} onClose={vi.fn()} />
        </QueryClientProvider>
      </MantineProvider>,
    );
  const before = show();
  fireEvent.change(await screen.findByLabelText("Note"), { target: { value: "For June" } });
  // The session has ended, and the page was loaded again.
  before.unmount();
  show();
  await screen.findByText(/to “Theirs”/);
  expect(screen.getByLabelText<HTMLTextAreaElement>("Note").value).toBe("For June");
  const button = await screen.findByRole<HTMLButtonElement>("button", { name: "Publish version 2" });
  await waitFor(() => expect(button.disabled).toBe(false));
  fireEvent.click(button);
  await screen.findByText("The draft has changed since you opened this. Read the changes again.");
  await screen.findByText(/to “Mine”/);
  expect(onPublished).not.toHaveBeenCalled();
  fireEvent.click(button);
  await waitFor(() => expect(onPublished).toHaveBeenCalled());
  expect(tags).toEqual(['"0"', '"1"']);
  await waitFor(() => expect(sessionStorage.length).toBe(0));
  // History marks the live version by this query.
  await waitFor(() => expect(client.getQueryState(["flows", "one", "flow_1"])?.isInvalidated).toBe(true));
});
