/** docs/bucketing-vectors.json and docs/logic-vectors.json hold for the sources that the package has. */

import { type Condition, holds } from "@onboarding/flow/conditions";
import type { Json } from "@onboarding/flow/json";
import { directionOf, translated } from "@onboarding/flow/languages";
import { expect, it } from "vitest";
import bucketing from "../../../docs/bucketing-vectors.json";
import logic from "../../../docs/logic-vectors.json";
import { bucketOf, isInside, murmur3, utf8 } from "../src/buckets";
import { decide, isInRanges, valuesOf } from "../src/deciding";
import { createOnboarding, memoryStorage } from "../src/index";
import { matchedLocale } from "../src/languages";
import type { Device, Flow } from "../src/types";

it.each(bucketing.buckets)("hashes $salt:$deviceId", ({ salt, deviceId, hash, bucket }) => {
  expect(murmur3(utf8(`${salt}:${deviceId}`))).toBe(hash);
  expect(bucketOf(salt, deviceId)).toBe(bucket);
});

it.each(bucketing.rollouts)("rolls out $flowId to $percentage per cent", ({ flowId, percentage, devices }) => {
  for (const { deviceId, inside } of devices) {
    expect(isInside(flowId, percentage, deviceId)).toBe(inside);
  }
});

it.each(bucketing.variants)("finds the variants of $variantSalt", ({ variantSalt, variants, devices }) => {
  for (const { deviceId, variant } of devices) {
    const found = variants.find(({ ranges }) => isInRanges(ranges, bucketOf(variantSalt, deviceId)));
    expect(found?.key).toBe(variant);
  }
});

it.each(bucketing.conditions as unknown as { condition: Condition; device: Device; holds: boolean }[])(
  "$condition for $device is $holds",
  ({ condition, device, holds: expected }) => {
    expect(holds(condition, valuesOf(device, device.deviceId.trim()))).toBe(expected);
  },
);

it.each(bucketing.decisions)("decides by a configuration", ({ config, devices }) => {
  for (const { device, flowId, source } of devices) {
    const decision = decide(config as unknown as Json, device as unknown as Device, null);
    expect([decision?.flowId ?? null, decision?.source ?? null]).toEqual([flowId, source]);
  }
});

it.each(bucketing.languages)("matches tags with $locales", ({ locales, aliases, tags }) => {
  for (const [wanted, locale] of tags) {
    expect([wanted, matchedLocale(locales, aliases, wanted ?? undefined)]).toEqual([wanted, locale]);
  }
});

it("knows the direction of each script", () => {
  expect(bucketing.directions.map(({ locale }) => ({ locale, direction: directionOf(locale) }))).toEqual(
    bucketing.directions,
  );
});

it.each(
  bucketing.overlays as { locales: string[]; content: Json; localizations: Json; locale: string; expected: Json }[],
)("translates $content to $locale", ({ locales, content, localizations, locale, expected }) => {
  expect(translated(content, localizations, locale, locales)).toEqual(expected);
});

interface Walk {
  name: string;
  screens: { id: string; type: string }[];
  variables: { name: string; formula: string }[];
  context: Json;
  steps: { do: "answer" | "forward" | "back" | "skip"; screen?: string; value?: unknown }[];
  expected: { path: string[]; answers: Json; variables: Json; progress: number; ended: boolean };
}

/** Walks whose result does not depend on the date, and that answer questions alone. */
const walks = (logic.flows as unknown as Walk[]).filter(
  ({ screens, steps, variables }) =>
    !JSON.stringify(variables).includes("today()") &&
    steps.every(({ do: step, screen }) => {
      const type = screens.find(({ id }) => id === screen)?.type ?? "";
      return step !== "answer" || type.startsWith("question_") || type === "consent";
    }),
);

it("has many walks", () => expect(walks.length).toBeGreaterThan(20));

it.each(walks)("leads through the flow: $name", ({ screens, variables, context, steps, expected }) => {
  const client = createOnboarding({
    ...{ baseUrl: "http://127.0.0.1:9", projectId: "p", secretKey: "s", storage: memoryStorage() },
    ...(context as object),
    fetch: () => Promise.reject(new Error("offline")),
  });
  const flow = { id: "flow", name: "", theme: null, screens, variables } as unknown as Flow;
  const session = client.start(flow);
  for (const step of steps) {
    if (session.state.isOver) {
      break;
    }
    if (step.do === "answer") {
      expect(session.answer(step.value)).toBeNull();
    } else if (step.do === "forward") {
      // A button that goes on whatever is given.
      session.press({ label: "Go", action: "next", url: "" });
    } else {
      session[step.do]();
    }
  }
  const { answers, variables: computed, progress, isOver } = session.state;
  expect({ answers, variables: computed, progress, ended: isOver, path: session.engine.state.path }).toMatchObject({
    ...{ answers: expected.answers, variables: expected.variables, progress: expected.progress },
    ...{ ended: expected.ended, path: expected.path },
  });
});
