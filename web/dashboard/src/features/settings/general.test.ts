import { expect, test } from "vitest";
import type { ProjectView } from "@/api/schema";
import { bodyOf, flowOptions, valuesOf } from "./general";

const PROJECT = {
  name: "Sample",
  description: null,
  settings: {
    platforms: ["ios"],
    default_flow_id: null,
    analytics_enabled: true,
    custom_domain: null,
    direct_writes: "allowed",
    required_approvals: 0,
    record_answers: false,
    default_locale: "en",
    locales: ["en"],
  },
} as unknown as ProjectView;

test("unchanged form sends the project as it is", () => {
  expect(bodyOf(valuesOf(PROJECT))).toEqual({
    name: "Sample",
    description: null,
    settings: PROJECT.settings,
  });
});

test("host name is sent in lower case without white space, an empty one as null", () => {
  const values = valuesOf(PROJECT);
  values.settings.custom_domain = " App.Example.com ";
  expect(bodyOf(values).settings?.custom_domain).toBe("app.example.com");
  values.settings.custom_domain = " ";
  expect(bodyOf(values).settings?.custom_domain).toBeNull();
});

test("present default flow stays a choice when the list lacks it", () => {
  const listed = [{ id: "flow_1", name: "Welcome" }];
  expect(flowOptions(listed, "flow_1")).toHaveLength(1);
  expect(flowOptions(listed, "flow_2").map(({ value }) => value)).toEqual(["flow_1", "flow_2"]);
});
