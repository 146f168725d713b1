/** Decisions by the configuration of the project (docs/bucketing.md), for devices that cannot reach the service. */

import { holds, readConditions } from "@onboarding/flow/conditions";
import { type Json, list, number, object, text } from "@onboarding/flow/json";
import { MEMBERS } from "@onboarding/flow/values";
import { bucketOf, isInside } from "./buckets";
import { localized } from "./languages";
import type { Device, Flow, Source } from "./types";

/** The variant that a device keeps. `variantSalt` is empty until a configuration as new as the assignment is there. */
export interface KeptAssignment {
  experimentId: string;
  variant: string;
  variantSalt: string;
  configVersion: number;
}

export interface Decision {
  flowId: string;
  source: Source;
  assignment: KeptAssignment | null;
}

/** Return the decision for a device by a configuration; null: the device gets no flow. */
export function decide(config: Json, device: Device, kept: KeptAssignment | null): Decision | null {
  const { platforms } = object(config.settings);
  const deviceId = device.deviceId.trim();
  if (device.platform && !list(platforms).includes(device.platform)) {
    return null;
  }
  const values = valuesOf(device, deviceId);
  const flows = list(config.flows).map(object);
  const others = flows.filter(({ status, isDefault }) => status === "active" && isDefault !== true);
  const targeted = others.find(
    (flow) => !isForEveryone(flow) && allHold(object(flow.targeting).conditions, values) && isRolledOut(flow, deviceId),
  );
  const isDefault = flows.find((flow) => flow.isDefault === true);
  return (
    keptVariant(config, kept) ??
    entered(config, values, deviceId) ??
    decision(targeted, "targeting") ??
    decision(isDefault, "default") ??
    decision(others.find(isForEveryone), "targeting")
  );
}

/** Return a flow of a configuration as a resolve returns it, in the language of the device; null without it. */
export function flowOf(config: Json, flowId: string, locale?: string): Flow | null {
  const found = list(config.flows)
    .map(object)
    .find(({ id }) => id === flowId);
  if (!found) {
    return null;
  }
  const flow = localized(found, object(config.settings), locale);
  const themes = list(config.themes).map(object);
  const own = themes.find(({ id }) => id === flow.themeId) ?? themes.find(({ isDefault }) => isDefault === true);
  const { isDefault: _, ...theme } = own ?? {};
  const { id, name, screens, variables, locale: matched, direction } = flow;
  return {
    ...{ id, name, theme: own ? theme : null, screens },
    ...(variables ? { variables } : {}),
    ...(matched ? { locale: matched, direction } : {}),
  } as Flow;
}

/** Return the salt of the variants of an experiment, empty without the experiment. */
export function variantSaltOf(config: Json, experimentId: string): string {
  return text(experimentsOf(config).find(({ id }) => id === experimentId)?.variantSalt);
}

function keptVariant(config: Json, kept: KeptAssignment | null): Decision | null {
  const experiment = experimentsOf(config).find(({ id }) => id === kept?.experimentId);
  if (!kept || !experiment || experiment.variantSalt !== kept.variantSalt) {
    return null;
  }
  const variant = variantsOf(experiment).find(({ key }) => key === kept.variant);
  return variant ? { flowId: text(variant.flowId), source: "experiment", assignment: kept } : null;
}

function entered(config: Json, values: Json, deviceId: string): Decision | null {
  const experiment = experimentsOf(config).find(
    ({ status, audience, trafficSalt, trafficPercentage }) =>
      status === "running" &&
      allHold(object(audience).conditions, values) &&
      isInside(text(trafficSalt), number(trafficPercentage) ?? 0, deviceId),
  );
  if (!experiment) {
    return null;
  }
  const variantSalt = text(experiment.variantSalt);
  const bucket = bucketOf(variantSalt, deviceId);
  const variant = variantsOf(experiment).find(({ ranges }) => isInRanges(ranges, bucket));
  if (!variant) {
    return null;
  }
  const [experimentId, key] = [text(experiment.id), text(variant.key)];
  const assignment = { experimentId, variant: key, variantSalt, configVersion: number(config.configVersion) ?? 0 };
  return { flowId: text(variant.flowId), source: "experiment", assignment };
}

/** Return whether a bucket is in one of the half-open ranges. */
export function isInRanges(ranges: unknown, bucket: number): boolean {
  return list(ranges).some((range) => {
    const [start, end] = list(range) as number[];
    return start !== undefined && end !== undefined && start <= bucket && bucket < end;
  });
}

function decision(flow: Json | undefined, source: Source): Decision | null {
  return flow ? { flowId: text(flow.id), source, assignment: null } : null;
}

function isForEveryone({ targeting }: Json): boolean {
  const { conditions, percentage } = object(targeting);
  return list(conditions).length === 0 && Math.round((number(percentage) ?? 0) * 100) === 10_000;
}

function isRolledOut({ id, targeting }: Json, deviceId: string): boolean {
  return isInside(text(id), number(object(targeting).percentage) ?? 0, deviceId);
}

function allHold(conditions: unknown, values: Json): boolean {
  return readConditions(conditions).every((condition) => holds(condition, values));
}

/** Return what conditions see of a device. Texts of its members are trimmed, those of its attributes are not. */
export function valuesOf(device: Device, deviceId: string): Json {
  const values: Json = {};
  for (const name of MEMBERS) {
    const value = name === "deviceId" ? deviceId : (device as unknown as Json)[name];
    if (value !== undefined && value !== null) {
      values[name] = typeof value === "string" ? value.trim() : value;
    }
  }
  for (const [name, value] of Object.entries(device.attributes ?? {})) {
    if (value !== null && value !== undefined) {
      values[`attributes.${name}`] = value;
    }
  }
  return values;
}

function experimentsOf(config: Json): Json[] {
  return list(config.experiments).map(object);
}

function variantsOf(experiment: Json): Json[] {
  return list(experiment.variants).map(object);
}
