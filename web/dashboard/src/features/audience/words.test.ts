import { expect, test } from "vitest";
import type { Condition } from "@/api/schema";
import { audienceInWords, targetingInWords } from "./words";

const inWords = (...conditions: Condition[]) => targetingInWords({ conditions });

test("targeting without conditions is everyone", () => {
  expect(inWords()).toBe("Everyone");
});

test("conditions that a list leaves out are many", () => {
  expect(targetingInWords({ conditions: [], conditions_omitted: true })).toBe("Many conditions");
});

test("conditions are joined to one phrase", () => {
  expect(
    inWords(
      { attribute: "platform", operator: "eq", value: "ios" },
      { attribute: "appVersion", operator: "semver_gte", value: "2.1.0" },
      { attribute: "country", operator: "in", value: ["DE", "FR"] },
    ),
  ).toBe("Platform is iOS, app version 2.1.0 or newer, and country is Germany or France");
});

test("long lists of values end with a count", () => {
  expect(inWords({ attribute: "country", operator: "not_in", value: ["DE", "FR", "AT", "CH", "IT"] })).toBe(
    "Country is not Germany, France, Austria, or 2 more",
  );
});

test("attributes of an app have their own names", () => {
  expect(inWords({ attribute: "attributes.plan", operator: "exists" })).toBe("Plan is known");
});

test("values that are no codes stand as they are", () => {
  expect(inWords({ attribute: "country", operator: "eq", value: "not a country" })).toBe("Country is not a country");
});

test("a flow without conditions is behind the default flow", () => {
  const everyone = { status: "active" as const, is_default: false, targeting: { percentage: 100, conditions: [] } };
  expect(audienceInWords(everyone, null)).toBe("Everyone");
  expect(audienceInWords(everyone, "flow_1")).toBe("Only in experiments");
  expect(audienceInWords({ ...everyone, status: "archived" }, "flow_1")).toBe("No device");
  expect(audienceInWords({ ...everyone, is_default: true }, "flow_1")).toBe("Everyone else");
  expect(audienceInWords({ ...everyone, targeting: { percentage: 50, conditions: [] } }, "flow_1")).toBe("Everyone");
});
