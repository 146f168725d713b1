/** Providers of OpenFeature. Unlike those of OFREP they decide offline, and send the events of `track`. */

import { type Json, object, text } from "@onboarding/flow/json";
import type { EvaluationContext, JsonValue, ResolutionDetails, TrackingEventDetails } from "@openfeature/core";
import type { Onboarding } from "../onboarding";
import { deviceIn, evaluated } from "./flags";

const NAME = "doorstep";

/** Properties of an event of the app: its details, with the value as `amount`. */
function propertiesOf(details: TrackingEventDetails = {}): Json {
  const { value, ...others } = details as Json;
  return { ...others, ...(value === undefined ? {} : { amount: value }) };
}

/** Return a provider for `@openfeature/web-sdk`. It has the flow of this device, whose id is that of the client. */
export function webProvider(onboarding: Onboarding) {
  const resolve = async (context: EvaluationContext) => {
    const { attributes, locale } = deviceIn(context as Json, "");
    await onboarding.resolve({ attributes, locale });
  };
  const flag = <Value>(key: string, fallback: Value): ResolutionDetails<Value> =>
    evaluated(key, fallback, onboarding.resolution, onboarding.config);
  return {
    metadata: { name: NAME },
    runsOn: "client" as const,
    initialize: (context: EvaluationContext = {}) => resolve(context),
    onContextChange: (_: EvaluationContext, context: EvaluationContext) => resolve(context),
    onClose: async () => onboarding.close(),
    resolveBooleanEvaluation: (key: string, fallback: boolean) => flag(key, fallback),
    resolveStringEvaluation: (key: string, fallback: string) => flag(key, fallback),
    resolveNumberEvaluation: (key: string, fallback: number) => flag(key, fallback),
    resolveObjectEvaluation: <Value extends JsonValue>(key: string, fallback: Value) => flag(key, fallback),
    track: (name: string, _: EvaluationContext, details?: TrackingEventDetails) =>
      onboarding.track(name, propertiesOf(details)),
  };
}

/**
 * Return a provider for `@openfeature/server-sdk`. It decides by the configuration, for the device of each context, whose
 * id is the `targetingKey`. The configuration is fetched at the start, and again at most once a minute.
 */
export function serverProvider(onboarding: Onboarding) {
  const flag = async <Value>(key: string, fallback: Value, context: EvaluationContext) => {
    const { targetingKey } = context;
    if (!targetingKey) {
      return { value: fallback, reason: "ERROR", errorCode: "TARGETING_KEY_MISSING" } as ResolutionDetails<Value>;
    }
    void onboarding.configure();
    return evaluated(key, fallback, onboarding.decide(deviceIn(context as Json, targetingKey)), onboarding.config);
  };
  return {
    metadata: { name: NAME },
    runsOn: "server" as const,
    initialize: () => onboarding.configure(),
    onClose: async () => onboarding.close(),
    resolveBooleanEvaluation: (key: string, fallback: boolean, context: EvaluationContext) =>
      flag(key, fallback, context),
    resolveStringEvaluation: (key: string, fallback: string, context: EvaluationContext) =>
      flag(key, fallback, context),
    resolveNumberEvaluation: (key: string, fallback: number, context: EvaluationContext) =>
      flag(key, fallback, context),
    resolveObjectEvaluation: <Value extends JsonValue>(key: string, fallback: Value, context: EvaluationContext) =>
      flag(key, fallback, context),
    track: (name: string, context: EvaluationContext, details?: TrackingEventDetails) => {
      const deviceId = text(object(context).targetingKey);
      onboarding.record(name, { ...(deviceId ? { deviceId } : {}), properties: propertiesOf(details) });
    },
  };
}
