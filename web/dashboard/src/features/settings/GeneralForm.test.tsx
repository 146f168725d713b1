import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { ProjectView } from "@/api/schema";
import { GeneralForm } from "./GeneralForm";

afterEach(() => vi.unstubAllGlobals());

const SETTINGS = {
  platforms: ["ios"],
  default_flow_id: null,
  analytics_enabled: true,
  custom_domain: null,
  direct_writes: "allowed",
  required_approvals: 0,
  record_answers: false,
  default_locale: "en",
  locales: ["en"],
};

function show(name: string, etag: string, onSaved = vi.fn(), settings: Partial<typeof SETTINGS> = {}) {
  const all = { ...SETTINGS, ...settings };
  const data = { id: "proj_1", name, description: null, settings: all } as unknown as ProjectView;
  const page = (
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        <GeneralForm project={{ data, etag }} flows={[]} onSaved={onSaved} />
      </QueryClientProvider>
    </MantineProvider>
  );
  return render(page);
}

const nameField = () => screen.getByLabelText<HTMLInputElement>("Name");

test("values that survive a reload replace a later version only after a choice", async () => {
  const send = vi.fn(async (_request: Request) => Response.json({ success: true, data: {} }));
  vi.stubGlobal("fetch", send);
  const before = show("Sample", '"1"');
  fireEvent.change(nameField(), { target: { value: "Mine" } });
  before.unmount();

  const onSaved = vi.fn();
  show("Theirs", '"2"', onSaved);
  expect(nameField().value).toBe("Mine");
  expect(screen.getByRole("group", { name: "Someone else has changed this" })).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Keep my version" }));
  await waitFor(() => expect(onSaved).toHaveBeenCalled());
  expect(send.mock.calls[0]?.[0].headers.get("If-Match")).toBe('"2"');
});

test("the version that was read is the one that a save replaces", async () => {
  const changed = { error: "The resource has changed", code: "PRECONDITION_FAILED", details: [] };
  const send = vi.fn(async (request: Request) =>
    request.method === "PUT"
      ? Response.json(changed, { status: 412 })
      : Response.json({ success: true, data: {} }, { headers: { ETag: '"2"' } }),
  );
  vi.stubGlobal("fetch", send);
  show("Sample", '"1"');
  fireEvent.change(nameField(), { target: { value: "Mine" } });
  fireEvent.click(screen.getByRole("button", { name: "Save changes" }));
  expect(await screen.findByRole("group", { name: "Someone else has changed this" })).toBeTruthy();
  expect(send.mock.calls[0]?.[0].headers.get("If-Match")).toBe('"1"');
});

test("the order of the languages can be changed, and the default one stays the first", async () => {
  const send = vi.fn(async (_request: Request) => Response.json({ success: true, data: {} }));
  vi.stubGlobal("fetch", send);
  show("Sample", '"1"', vi.fn(), { locales: ["en", "de", "es-ES", "es-MX"] });
  expect(screen.queryByRole("button", { name: "Move German up" })).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Move Mexican Spanish up" }));
  fireEvent.click(screen.getByRole("button", { name: "Save changes" }));
  await waitFor(() => expect(send).toHaveBeenCalled());
  const sent = await send.mock.calls[0]?.[0].json();
  expect(sent).toMatchObject({ settings: { locales: ["en", "de", "es-MX", "es-ES"] } });
});
