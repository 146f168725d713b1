import { expect, test } from "vitest";
import type { FlowStatus } from "@/api/schema";
import { moveOf, shownFlows } from "./order";

const conditions = [{ attribute: "platform", operator: "eq", value: "ios" }] as const;

function flow(id: string, status: FlowStatus = "active", is_default = false, of: readonly object[] = conditions) {
  return { id, status, is_default, targeting: { percentage: 100, conditions: of } } as never as Parameters<
    typeof moveOf
  >[0][number];
}

test.each([
  ["past a flow with conditions", [flow("a"), flow("b")], "b"],
  ["past a draft", [flow("a"), flow("b", "draft")], undefined],
  ["of a draft", [flow("a", "draft"), flow("b")], undefined],
  ["past the default flow", [flow("a"), flow("default", "active", true)], undefined],
  ["past a flow that only experiments show", [flow("a"), flow("b", "active", false, [])], undefined],
])("move %s changes what devices get only among tried flows", (_, flows, passed) => {
  const move = moveOf(flows, 0, 1, "default");
  expect(move?.passed.map(({ id }) => id).join()).toBe(passed);
  expect(moveOf(flows, 1, 0, "default")?.isUp).toBe(passed && true);
});

test("list ends with the default flow, and with archived flows if they are shown", () => {
  const flows = [flow("default", "active", true), flow("old", "archived"), flow("a"), flow("b", "draft")];
  const ids = (shown: { id: string }[]) => shown.map(({ id }) => id).join(" ");
  expect(ids(shownFlows(flows, true))).toBe("a b default");
  expect(ids(shownFlows(flows, false))).toBe("a b default old");
  expect(ids(shownFlows([flow("old", "archived")], true))).toBe("old");
});
