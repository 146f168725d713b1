import { expect, test } from "vitest";
import { ApiError } from "@/api/errors";
import { sortDetails } from "./fieldErrors";

function errorAt(...fields: string[]) {
  const details = fields.map((field) => ({ field, code: "INVALID_PARAMETER" as const, message: "must be shorter" }));
  return new ApiError("name must be shorter", 400, "INVALID_PARAMETER", details, "request-1");
}

test("detail stands at the field with its path, as a sentence", () => {
  const values = { name: "", targeting: { conditions: [{ value: "" }] } };
  expect(sortDetails(errorAt("name", "targeting.conditions.0.value"), values).fields).toEqual({
    name: "Must be shorter",
    "targeting.conditions.0.value": "Must be shorter",
  });
});

test("detail of a part without a field stands at the field around it", () => {
  expect(sortDetails(errorAt("platforms.0"), { platforms: ["ios"] }).fields).toEqual({ platforms: "Must be shorter" });
  expect(sortDetails(errorAt("theme.colors"), { theme: "" }).fields).toEqual({ theme: "Must be shorter" });
});

test("detail of a field with another name in the form stands there", () => {
  const sorted = sortDetails(errorAt("projectId"), { project: "" }, { projectId: "project" });
  expect(sorted.fields).toEqual({ project: "Must be shorter" });
});

test("detail without a field is returned apart", () => {
  const sorted = sortDetails(errorAt("If-Match"), { name: "" });
  expect(sorted.fields).toEqual({});
  expect(sorted.others.map(({ field }) => field)).toEqual(["If-Match"]);
});
