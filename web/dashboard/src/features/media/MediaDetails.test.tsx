import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { MediaDetails } from "./MediaDetails";

vi.mock("@/api/projects", () => ({ useCan: () => true }));

afterEach(() => vi.unstubAllGlobals());

const FILE = {
  id: "media_1",
  project_id: "proj_1",
  name: "shop.jpg",
  alt: "",
  kind: "image",
  focal_point: null,
  width: 600,
  height: 600,
  bytes: 2048,
  renditions: [],
  uses: { flows: [], themes: [] },
};

test("a file is deleted after a question that names it", async () => {
  const send = vi.fn(async (_request: Request) => Response.json({ success: true, data: FILE }));
  vi.stubGlobal("fetch", send);
  const onDeleted = vi.fn();
  render(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        <MediaDetails mediaId="media_1" onUse={vi.fn()} onPair={vi.fn()} onUnpair={vi.fn()} onDeleted={onDeleted} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  fireEvent.click(await screen.findByRole("button", { name: "Delete" }));
  expect(screen.getByRole("alert").textContent).toContain("Delete shop.jpg?");
  expect(send.mock.calls.every(([{ method }]) => method === "GET")).toBe(true);
  fireEvent.click(screen.getByRole("button", { name: "Delete this file" }));
  await waitFor(() => expect(onDeleted).toHaveBeenCalled());
  expect(send.mock.calls.some(([{ method }]) => method === "DELETE")).toBe(true);
});
