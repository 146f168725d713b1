/** The flags of the service (docs/openfeature.md), made on the device or the server. */

import { type Json, list, object } from "@onboarding/flow/json";
import type { FlagMetadata, JsonValue, ResolutionDetails } from "@openfeature/core";
import type { Attributes, Device, Platform, Resolution } from "../types";

const MEMBERS = ["platform", "appVersion", "osVersion", "locale", "country"];

/** Return a flag for a resolution, with the default value for an unknown flag and for a value of another type. */
export function evaluated<Value>(
  key: string,
  fallback: Value,
  resolution: Resolution | null,
  config: Json | null,
): ResolutionDetails<Value> {
  if (!resolution) {
    return failed(fallback, "PROVIDER_NOT_READY");
  }
  const { flow, flowId, variant, experimentId, source, origin, configVersion } = resolution;
  const assignment = { source, experimentId, variant };
  const values: Record<string, unknown> = {
    onboarding: flow ? { flowId, flow, assignment, configVersion } : {},
    "onboarding.flow-id": flowId ?? "",
    "onboarding.enabled": flow !== null,
    "onboarding.variant": variant ?? flowId ?? "",
  };
  const value = Object.getOwnPropertyDescriptor(values, key)?.value as Value | undefined;
  if (value === undefined) {
    return failed(fallback, "FLAG_NOT_FOUND");
  }
  if (typeof value !== typeof fallback) {
    return failed(fallback, "TYPE_MISMATCH");
  }
  const known = { source, flowId, flowName: flow?.name, experimentId, variant, configVersion, origin };
  const named = Object.entries({ ...known, exposureRecorded: origin === "network" && source !== "override" });
  const flagMetadata = Object.fromEntries(named.filter(([, member]) => member != null)) as FlagMetadata;
  return { value, variant: variant ?? flowId ?? "none", reason: reasonOf(resolution, config), flagMetadata };
}

/** Return what a context says of a device: the members of a resolve, and all other scalars as attributes. */
export function deviceIn(context: Json, deviceId: string): Device {
  const { targetingKey: _, attributes, ...others } = context;
  const isScalar = ([, value]: [string, unknown]) => /^(?:string|number|boolean)$/.test(typeof value);
  const scalars = Object.entries(others).filter(isScalar);
  const named = scalars.filter(([name, value]) => MEMBERS.includes(name) && typeof value === "string");
  const free = scalars.filter(([name]) => !MEMBERS.includes(name) && name !== "assignmentToken");
  const all = [...free, ...Object.entries(object(attributes)).filter(isScalar)];
  const { platform, ...device } = Object.fromEntries(named) as Record<string, string>;
  return {
    ...device,
    ...(platform === "ios" || platform === "android" ? { platform: platform as Platform } : {}),
    deviceId,
    attributes: Object.fromEntries(all) as Attributes,
  };
}

function reasonOf({ source, flowId }: Resolution, config: Json | null): string {
  const flow = list(config?.flows)
    .map(object)
    .find(({ id }) => id === flowId);
  const { conditions, percentage } = object(flow?.targeting);
  switch (source) {
    case "override":
      return "TARGETING_MATCH";
    case "experiment":
      return "SPLIT";
    case "targeting":
      return !flow || list(conditions).length > 0 ? "TARGETING_MATCH" : percentage === 100 ? "STATIC" : "SPLIT";
    case "default":
      return "STATIC";
    default:
      return "DISABLED";
  }
}

function failed<Value>(value: Value, errorCode: string): ResolutionDetails<Value> {
  return { value, reason: "ERROR", errorCode: errorCode as NonNullable<ResolutionDetails<Value>["errorCode"]> };
}

/** A value of a flag that is an object. */
export type { JsonValue };
