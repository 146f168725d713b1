import { expect, test } from "vitest";
import { devicesOf, withDevice, withoutDevice } from "./queries";

test("map becomes rows, with the draft where the device gets it", () => {
  expect(devicesOf({ b: "flow_1", a: { flow_id: "flow_2", draft: true } })).toEqual([
    { id: "a", flowId: "flow_2", draft: true },
    { id: "b", flowId: "flow_1", draft: false },
  ]);
});

test("changed device leaves the others as they are", () => {
  const map = { a: "flow_1", b: { flow_id: "flow_1", draft: false } };
  expect(withDevice(map, { id: "a", flowId: "flow_2", draft: true })).toEqual({
    a: { flow_id: "flow_2", draft: true },
    b: { flow_id: "flow_1", draft: false },
  });
  expect(withoutDevice(map, "b")).toEqual({ a: "flow_1" });
});
