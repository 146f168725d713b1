/** The sequences of docs/sdk-vectors.json, which a client in Python has made, over a fake service. */

import { expect, it } from "vitest";
import file from "../../../docs/sdk-vectors.json";
import { Onboarding, type Options, type Resolution } from "../src/index";
import type { Json } from "../src/types";
import {
  accepted,
  eventsIn,
  FakeClock,
  type FakeReply,
  FakeService,
  options,
  type Sent,
  settled,
  storageOn,
} from "./fakeService";

interface Step {
  given?: Record<string, (FakeReply & { accepts?: boolean }) | null>;
  do?: { [action: string]: unknown; resolve?: Partial<Options>; count?: number; pass?: number; bundled?: unknown };
  expect?: Json;
}

const PATHS: Record<string, string> = {
  resolve: "/api/onboarding/resolve",
  config: "/api/config",
  events: "/api/analytics/events",
};
const KEY = "doorstep.p";

it.each(file.sequences as unknown as { name: string; steps: Step[] }[])("$name", async ({ steps }) => {
  const service = new FakeService();
  const clock = new FakeClock();
  const stored = new Map([[KEY, JSON.stringify({ version: 1, kept: { deviceId: file.deviceId }, events: [] })]]);
  let device: Partial<Options> = {};
  const open = (bundled?: unknown) => {
    const known = {
      platform: () => device.platform as never,
      locale: () => device.locale as string,
      attributes: () => device.attributes as never,
    };
    return new Onboarding(
      options(service, { ...known, bundled, storage: storageOn(stored), random: () => 0.5 }),
      clock,
    );
  };
  let client = open();
  const setReply = ([name, reply]: [string, (FakeReply & { accepts?: boolean }) | null]) => {
    service.replies[PATHS[name] ?? ""] = (request) =>
      reply ? (reply.accepts ? accepted(request) : reply) : Promise.reject(new TypeError("offline"));
  };
  Object.keys(PATHS).forEach((name) => {
    setReply([name, null]);
  });
  for (const step of steps) {
    Object.entries(step.given ?? {}).forEach(setReply);
    if (!step.do) {
      continue;
    }
    let result: Partial<Resolution> = {};
    const { resolve, configure, track, count = 1, flush, restart, bundled, pass } = step.do;
    if (resolve) {
      device = resolve;
      const { flowId, source, variant, configVersion, origin } = await client.resolve();
      result = { flowId, source, variant, configVersion, origin } as Partial<Resolution>;
    } else if (configure) {
      await client.configure();
    } else if (track) {
      for (let sent = 0; sent < count; sent += 1) {
        client.track(String(track));
      }
    } else if (flush) {
      await client.flush();
    } else if (restart) {
      client = open(bundled);
    } else {
      await clock.pass((pass ?? 0) * 1_000);
    }
    await settled();
    expect({ ...result, ...seen(service, stored) }).toEqual(step.expect);
  }
});

function seen(service: FakeService, stored: Map<string, string>): Json {
  const { kept, events } = JSON.parse(stored.get(KEY) ?? "") as { kept: Json; events: Json[] };
  const queue: Record<string, number> = {};
  for (const { eventType } of events) {
    queue[String(eventType)] = (queue[String(eventType)] ?? 0) + 1;
  }
  const requests = service.sent.splice(0).map(shown);
  return {
    requests,
    queue,
    token: kept.token || null,
    keptVersion: (kept.config as Json | null)?.configVersion ?? null,
  };
}

function shown(request: Sent): Json {
  const { method, path, body, headers } = request;
  switch (path) {
    case PATHS.events:
      return { method, path, events: eventsIn(request).length };
    case PATHS.config:
      return { method, path, ifNoneMatch: headers["If-None-Match"] ?? null };
    default:
      return { method, path, assignmentToken: body?.assignmentToken ?? null };
  }
}
