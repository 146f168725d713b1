import { expect, test } from "vitest";
import type { Condition } from "@/api/schema";
import { matching } from "./Matches";

const DEVICES = [
  { platform: "ios", users: 30 },
  { platform: "android", users: 12 },
  { platform: null, users: 5 },
];

test.each<[Condition[], number]>([
  [[{ attribute: "platform", operator: "eq", value: "ios" }], 30],
  [[{ attribute: "platform", operator: "neq", value: "ios" }], 17],
  [
    [
      { attribute: "platform", operator: "exists" },
      { attribute: "country", operator: "eq", value: "DE" },
    ],
    42,
  ],
])("devices are counted by the conditions on the platform: %j", (conditions, count) => {
  expect(matching(conditions, DEVICES)).toBe(count);
});
