import { expect, test } from "vitest";
import type { VariantResultView } from "@/api/schema";
import { formatPValue, verdictOf } from "./verdict";

const variants = [
  { key: "a", name: "As it is", flow_id: "flow_1", weight: 50, is_control: true },
  { key: "b", name: "Shorter", flow_id: "flow_2", weight: 50, is_control: false },
];
const running = { status: "running" as const, variants, started_at: "2026-11-01T00:00:00Z" };
const completed = { ...running, status: "completed" as const };

function result(key: string, users: number, conversions: number, p: number | null): VariantResultView {
  return {
    key,
    is_control: key === "a",
    users,
    conversions,
    rate: users ? conversions / users : null,
    rate_interval: users ? [0.1, 0.9] : null,
    lift: key === "a" ? null : 0.2,
    lift_interval: key === "a" ? null : [0.1, 0.3],
    p_value: p,
    sequential_p_value: p,
    probability_to_beat_control: p,
  };
}

function results(shorter: VariantResultView, others: { mismatch?: boolean; control?: VariantResultView } = {}) {
  const control = others.control ?? result("a", 1000, 200, null);
  return {
    users: control.users + shorter.users,
    srm: { p_value: 0.5, mismatch: others.mismatch ?? false },
    variants: [control, shorter],
  };
}

test("a small sequential p-value is safe to decide by, for the side with the higher rate", () => {
  const better = verdictOf(running, results(result("b", 1000, 240, 0.01)), undefined);
  expect(better.title).toBe("Safe to decide: Shorter is better than As it is");
  expect(better.text).toContain("24% of the users succeed in place of 20%: +4 percentage points");
  expect(better.text).toContain("Relative to the control this is +20%");
  expect(better.text).not.toContain("whole week");
  expect(better.best).toBe("b");
  const worse = verdictOf(running, results(result("b", 1000, 140, 0.01)), undefined);
  expect(worse.title).toBe("Safe to decide: As it is is better than Shorter");
  expect(worse.best).toBe("a");
});

test.each([
  ["2026-11-01T20:00:00Z", "It has run for less than a day: "],
  ["2026-11-03T20:00:00Z", "It has run for 2 days: "],
])("decision of a young experiment hints at a whole week, at %s", (now, hint) => {
  const found = results(result("b", 1000, 240, 0.01));
  expect(verdictOf(running, found, undefined, Date.parse(now)).text).toContain(hint);
  expect(verdictOf(completed, found, undefined, Date.parse(now)).text).not.toContain(hint);
});

test("until then the size that is needed is told, by the variant with the fewest users", () => {
  const verdict = verdictOf(running, results(result("b", 800, 170, 0.4)), { users_per_variant: 3200 });
  expect(verdict).toMatchObject({ kind: "waiting", title: "Not enough data yet (800 of 3,200 users)", progress: 0.25 });
});

test("users enough without a difference are undecided", () => {
  const verdict = verdictOf(running, results(result("b", 1000, 201, 0.9)), { users_per_variant: 900 });
  expect(verdict).toMatchObject({ kind: "undecided", title: "No difference found", best: null });
});

test("a mismatch of the sample ratio comes before everything else", () => {
  const verdict = verdictOf(running, results(result("b", 1000, 240, 0.01), { mismatch: true }), undefined);
  expect(verdict).toMatchObject({ kind: "mismatch", best: null });
});

test("without users the view waits, or says that there were none", () => {
  const none = { control: result("a", 0, 0, null) };
  expect(verdictOf(running, results(result("b", 0, 0, null), none), undefined).title).toBe(
    "Waiting for the first users",
  );
  expect(verdictOf(completed, results(result("b", 0, 0, null), none), undefined).title).toBe(
    "No user was given a variant.",
  );
});

test("one variant that is worse decides nothing while another is open", () => {
  const three = { ...running, variants: [...variants, { ...variants[1], key: "c", name: "Longer" } as never] };
  const found = results(result("b", 1000, 140, 0.01));
  const verdict = verdictOf(three, { ...found, variants: [...found.variants, result("c", 1000, 205, 0.8)] }, undefined);
  expect(verdict.kind).toBe("waiting");
});

test.each([
  [1, "1"],
  [0.04321, "0.043"],
  [0.00001, "< 0.001"],
])("the p-value %f is shown as %s", (value, shown) => {
  expect(formatPValue(value)).toBe(shown);
});
