import { keepPreviousData, QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { QueryView } from "./states";

test("data of the former filter is marked until the data of the new one is there", async () => {
  const client = new QueryClient();
  function Figures({ flow }: { flow: string }) {
    const answer = flow === "first" ? Promise.resolve(flow) : new Promise<string>(() => undefined);
    const query = useQuery({ queryKey: [flow], queryFn: () => answer, placeholderData: keepPreviousData });
    return (
      <QueryView query={query} skeleton={null}>
        {(data) => <p>{data}</p>}
      </QueryView>
    );
  }
  const view = (flow: string) => (
    <QueryClientProvider client={client}>
      <Figures flow={flow} />
    </QueryClientProvider>
  );
  const { rerender } = render(view("first"));
  const shown = (await screen.findByText("first")).parentElement;
  expect(shown?.dataset.stale).toBeUndefined();
  rerender(view("second"));
  expect(shown?.dataset.stale).toBe("true");
});
