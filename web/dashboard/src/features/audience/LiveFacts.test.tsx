import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { afterEach, test, vi } from "vitest";
import { LiveFacts } from "./LiveFacts";

afterEach(() => vi.unstubAllGlobals());

test.each([
  [{ id: "flow_1", name: "Tour" }, 1200, "504 of 1,200 devices of the last 7 days had Tour"],
  [{ id: "flow_2", name: "New" }, 1, "0 of 1 device of the last 7 days had New"],
  [undefined, 1200, "The project had 1,200 devices in the last 7 days"],
  [{ id: "flow_1", name: "Tour" }, 0, "The project had no device in the last 7 days"],
])("devices of %o are counted", async (flow, users, expected) => {
  const rows = users > 1 ? [{ flow_id: "flow_1", events: 900, users: 504 }] : [];
  vi.stubGlobal("fetch", async () => Response.json({ success: true, data: { totals: { events: 0, users }, rows } }));
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <LiveFacts projectId="proj_1" who="Everyone" flow={flow} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  await screen.findByText(expected);
});
