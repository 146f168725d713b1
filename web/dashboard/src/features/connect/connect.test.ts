import { expect, test } from "vitest";
import type { EventView } from "@/api/schema";
import { heardOf } from "./heard";
import { EVENT, OPEN_FEATURE, RESOLVE } from "./requests";
import { SDK } from "./sdk";
import { WEB_VIEWS } from "./webViews";

const CONNECTION = { edgeUrl: "https://edge.example.com", projectId: "proj_1", secretKey: "obk_sk_1" };

test("lines of every target have the values of the project, and no text that was not filled in", () => {
  for (const { id, lines } of [...SDK, ...RESOLVE, ...WEB_VIEWS, ...EVENT, ...OPEN_FEATURE]) {
    const text = lines(CONNECTION);
    for (const value of Object.values(CONNECTION)) {
      expect(text, id).toContain(value);
    }
    expect(text, id).not.toMatch(/undefined|\[object/);
  }
});

test("newest events say what was heard last of each platform", () => {
  const event = (platform: EventView["platform"], event_type: string, app_version: string | null) =>
    ({ platform, event_type, app_version }) as EventView;
  const events = [
    event("ios", "app_opened", "2.1"),
    event(null, "purchase", null),
    event("ios", "flow_started", "2.0"),
    event("ios", "flow_started", "2.1"),
  ];
  expect(heardOf(events)).toEqual([
    { platform: "ios", newest: events[0], start: events[2], versions: ["2.1", "2.0"] },
    { platform: null, newest: events[1], start: undefined, versions: [] },
  ]);
});
