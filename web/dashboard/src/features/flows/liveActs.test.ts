import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { type ActedFlow, carryOut } from "./liveActs";

afterEach(() => vi.unstubAllGlobals());

const TOUR = { id: "flow_tour", name: "Tour", project_id: "proj_1", status: "active", is_default: false } as ActedFlow;

/** Stub the service with a default flow of the project, and return the changes that it was sent. */
function serve(defaultFlow: () => string | null) {
  const sent: string[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const path = new URL(request.url).pathname;
    if (request.method !== "GET") {
      sent.push([path, await request.text(), request.headers.get("If-Match")].join(" "));
    }
    const data = path.includes("/projects/") ? { settings: { default_flow_id: defaultFlow() } } : {};
    return Response.json({ success: true, data }, { headers: { ETag: '"after"' } });
  });
  return sent;
}

test("undo of an archived flow needs the state that the act has left", async () => {
  const sent = serve(() => null);
  const { undo } = await carryOut(new QueryClient(), "archive", { ...TOUR, is_default: true }, "flow_tour");
  await undo();
  expect(sent).toEqual([
    '/api/flows/flow_tour {"status":"archived"} ',
    '/api/flows/flow_tour {"status":"active"} "after"',
    '/api/flows/flow_tour {"is_default":true} ',
  ]);
});

test("undo of a new default keeps the default that somebody else has chosen since", async () => {
  let present = "flow_tour";
  const sent = serve(() => present);
  const { undo } = await carryOut(new QueryClient(), "default", TOUR, "flow_former");
  present = "flow_other";
  await expect(undo()).rejects.toMatchObject({ status: 412 });
  expect(sent).toHaveLength(1);
  present = "flow_tour";
  await undo();
  expect(sent[1]).toBe('/api/flows/flow_former {"is_default":true} ');
});
