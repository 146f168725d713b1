import { expect, test } from "vitest";
import { listSearch, oneOf, searchOf } from "./search";

const read = searchOf({ ...listSearch, sort: oneOf(["name", "-name"]) });

test("parameters of the address are read", () => {
  const given = { page: 2, sort: "-name", search: "welcome" };
  expect(read(given)).toStrictEqual(given);
});

test.each([
  { page: 0 },
  { page: 1.5 },
  { page: "2" },
  { sort: "age" },
  { search: 7 },
  { search: "a".repeat(201) },
  { unknown: "x" },
])("an invalid parameter counts as absent: %o", (given) => {
  expect(read(given)).toStrictEqual({});
});
