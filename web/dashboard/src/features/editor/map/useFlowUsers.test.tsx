import { expect, test } from "vitest";
import { usersInWords } from "./useFlowUsers";

const USERS = { arrows: new Map(), lost: new Map() };

test.each([
  [0, 0, 0, "Nobody started the live flow in this period."],
  [1200, 1200, 0, "1,200 users started the live flow, with pages or SDKs that do not tell their way"],
  [1200, 0, 0, "1,200 users started the live flow. Shares are of the users of a screen."],
  [1200, 30, 4, "The pages or SDKs of 30 do not tell their way. 4 went ways that this version does not have."],
])("%i users, %i of old SDKs and %i elsewhere are said", (started, untold, elsewhere, words) => {
  expect(usersInWords({ ...USERS, started, untold, elsewhere })).toContain(words);
});
