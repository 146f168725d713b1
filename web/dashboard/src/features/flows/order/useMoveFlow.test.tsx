import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, test, vi } from "vitest";
import type { Page } from "@/api/responses";
import type { ListedFlowView } from "@/api/schema";
import { spliceOrder, useMoveFlow } from "./useMoveFlow";

afterEach(() => vi.unstubAllGlobals());

function page(...ids: string[]) {
  return { items: ids.map((id) => ({ id })), pagination: {} } as Page<ListedFlowView>;
}

test("flows of a page change places among themselves only", () => {
  expect(spliceOrder(["a", "b", "c", "d", "e"], ["d", "b"])).toEqual(["a", "d", "c", "b", "e"]);
});

test("move changes the list that is shown alone, and a failure takes it back", async () => {
  let fail: (error: Error) => void = () => undefined;
  const order = new Promise<Response>((_, reject) => {
    fail = reject;
  });
  vi.stubGlobal("fetch", () => order);
  const client = new QueryClient();
  const [shown, filtered] = [
    ["flows", "list", "proj_1", {}],
    ["flows", "list", "proj_1", { search: "b" }],
  ];
  client.setQueryData(shown, page("a", "b"));
  client.setQueryData(filtered, page("b"));
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const move = renderHook(() => useMoveFlow("proj_1", shown), { wrapper }).result.current;
  const moved = move(["b", "a"]);
  await waitFor(() => expect(client.getQueryData(shown)).toEqual(page("b", "a")));
  expect(client.getQueryData(filtered)).toEqual(page("b"));
  fail(new Error("No capacity"));
  await expect(moved).rejects.toThrow("No capacity");
  await waitFor(() => expect(client.getQueryData(shown)).toEqual(page("a", "b")));
});
