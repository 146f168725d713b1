import { expect, test } from "vitest";
import { nearestQuota } from "./quotas";

const of = (events: number, bytes: number, devices: number) => ({
  resets_at: "2026-11-25T00:00:00.000Z",
  events: { used: events, limit: 1000 },
  property_bytes: { used: bytes, limit: 1000 },
  new_devices: { used: devices, limit: 1000 },
});

test.each([
  ["none below 80 %", of(799, 0, 10), null],
  ["one from 80 % on", of(0, 800, 10), { name: "property_bytes", share: 0.8 }],
  ["the one that is used most", of(850, 900, 1200), { name: "new_devices", share: 1.2 }],
])("shows %s", (_, quotas, nearest) => {
  expect(nearestQuota(quotas)).toEqual(nearest);
});
