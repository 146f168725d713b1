import { expect, test } from "vitest";
import { ApiError } from "@/api/errors";
import { filterErrors, isFilterError } from "./filterErrors";

test("a refused filter has the reason of the service", () => {
  const details = [{ field: "eventType", code: "INVALID_PARAMETER" as const, message: "must begin with a letter" }];
  const error = new ApiError("Invalid request", 400, "INVALID_REQUEST", details, "request-1");
  expect(filterErrors(error)).toEqual({ eventType: "Must begin with a letter" });
});

test("a flow and an experiment that the project does not have are errors of their filters", () => {
  const flow = new ApiError("Flow not found", 404, "INVALID_FLOW", [], null);
  expect(Object.keys(filterErrors(flow))).toEqual(["flowId"]);
  const experiment = new ApiError("Experiment not found", 404, "NOT_FOUND", [], null);
  expect(Object.keys(filterErrors(experiment))).toEqual(["experimentId"]);
});

test("other failures are about no filter", () => {
  expect(isFilterError(new ApiError("Project not found", 404, "INVALID_PROJECT", [], null))).toBe(false);
  expect(isFilterError(new TypeError("network"))).toBe(false);
  expect(isFilterError(null)).toBe(false);
});
