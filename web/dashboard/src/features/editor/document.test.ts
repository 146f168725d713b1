import { expect, test } from "vitest";
import type { FlowViewWithContent } from "@/api/schema";
import { documentOf } from "./document";

test("begins a draft with all that the live flow has, logic too", () => {
  const targeting = { percentage: 100, conditions: [] };
  const content = { name: "Welcome", description: null, theme_id: null };
  const screen = { id: "screen_1", type: "custom", name: null, content: {}, settings: {} };
  const logic = { show_if: [], next: [{ id: "rule_1", when: [], go_to: "end" }] };
  const variables = [{ name: "bmi", formula: "1" }];
  const flow = { ...content, targeting, variables, screens: [{ ...screen, ...logic, order: 0 }], id: "flow_1" };
  expect(documentOf(flow as unknown as FlowViewWithContent)).toEqual({
    ...content,
    targeting,
    variables,
    screens: [{ ...screen, ...logic }],
  });
});
