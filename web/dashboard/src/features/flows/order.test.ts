import { expect, test } from "vitest";
import { spliceOrder } from "./useMoveFlow";

test("flows of a page change places among themselves only", () => {
  expect(spliceOrder(["a", "b", "c", "d", "e"], ["d", "b"])).toEqual(["a", "d", "c", "b", "e"]);
});
