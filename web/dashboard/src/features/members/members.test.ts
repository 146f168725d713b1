import { expect, test } from "vitest";
import { canChange, rolesToGive } from "./queries";

test("owners alone make owners and change them", () => {
  expect(rolesToGive("owner")).toContain("owner");
  expect(rolesToGive("admin")).not.toContain("owner");
  expect(canChange("owner", { role: "owner" })).toBe(true);
  expect(canChange("admin", { role: "owner" })).toBe(false);
});

test("admins change everyone below an owner, editors and viewers nobody", () => {
  expect(canChange("admin", { role: "admin" })).toBe(true);
  expect(canChange("editor", { role: "viewer" })).toBe(false);
  expect(canChange(undefined, { role: "viewer" })).toBe(false);
});
