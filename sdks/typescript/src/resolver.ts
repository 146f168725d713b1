/** The flow for a device: from the service in its time, else from what the device knows. */

import { type Json, list, number, object, text } from "@onboarding/flow/json";
import { type Connection, errorCode, NO_REPLY, type Reply } from "./connection";
import { type Decision, decide, flowOf, type KeptAssignment, variantSaltOf } from "./deciding";
import type { Kept, Store } from "./store";
import type { Clock, Device, Flow, Origin, Resolution, Source } from "./types";

const RESOLVE_PATH = "/api/onboarding/resolve";
const CONFIG_PATH = "/api/config";
/** A late answer is kept for the next start. */
const REQUEST_MS = 10_000;
/** The configuration may be kept for so long by `Cache-Control`. */
const CONFIG_MS = 60_000;
const SOURCES = ["override", "experiment", "targeting", "default"];

type Keep = (decision: Decision, kept: KeptAssignment | null) => void;

export class Resolver {
  private configured: Promise<void> | null = null;
  private configuredAt = Number.NEGATIVE_INFINITY;
  private notBefore = 0;

  constructor(
    private readonly store: Store,
    private readonly connection: Connection,
    private readonly clock: Clock,
    private readonly bundled: Json | null,
    private readonly warn: (message: string, detail?: unknown) => void,
  ) {}

  /** Return the flow for the device within a time. The promise is never rejected. */
  async resolve(deviceOf: () => Device, timeoutMs: number, signal?: AbortSignal): Promise<Resolution> {
    try {
      const late = new Promise<null>((settle) => {
        this.clock.after(timeoutMs, () => settle(null));
        signal?.addEventListener("abort", () => settle(null));
      });
      await Promise.race([this.store.ready, late]);
      const answer = signal?.aborted ? null : await Promise.race([this.ask(deviceOf()), late]);
      return answer ?? this.known(deviceOf());
    } catch (error) {
      this.warn("The flow cannot be resolved.", error);
      return none("offline", 0);
    }
  }

  /** Return the flow for the device without the service. */
  known(device: Device): Resolution {
    const { resolved } = this.store.kept;
    if (resolved && isResolution(resolved)) {
      return { ...resolved, origin: "stored" };
    }
    return this.decide(device, this.store.kept.assignment, (decision, kept) => this.keep(decision, kept));
  }

  /** Return the flow for any device by the kept configuration, else by the bundled one. */
  decide(device: Device, kept: KeptAssignment | null = null, keep: Keep = () => {}): Resolution {
    const { config } = this.store.kept;
    return (
      (config && this.decided(config, device, "offline", kept, keep)) ??
      (this.bundled && this.decided(this.bundled, device, "bundled", kept, keep)) ??
      none("offline", 0)
    );
  }

  /** Fetch the configuration, at most once a minute. The one with the highest version is kept. */
  configure(): Promise<void> {
    const now = this.clock.now();
    if (!this.configured && Math.abs(now - this.configuredAt) >= CONFIG_MS) {
      this.configuredAt = now;
      this.configured = this.fetchConfig().finally(() => {
        this.configured = null;
      });
    }
    return this.configured ?? Promise.resolve();
  }

  /** Return the answer of the service; null without one. */
  private async ask(device: Device): Promise<Resolution | null> {
    if (this.clock.now() < this.notBefore) {
      return null;
    }
    const { token, deviceId } = this.store.kept;
    const body = JSON.stringify({ ...device, ...(token ? { assignmentToken: token } : {}) });
    const request = { method: "POST", path: RESOLVE_PATH, body, timeoutMs: REQUEST_MS } as const;
    const reply = await this.connection.send(request);
    this.notBefore = reply.retryAfterMs > 0 ? this.clock.now() + reply.retryAfterMs : 0;
    const resolution = answerIn(reply);
    // A reset in the meantime has made another device.
    if (!resolution || this.store.kept.deviceId !== deviceId) {
      return resolution;
    }
    this.store.change((kept) => ({ resolved: resolution, ...this.assignmentIn(resolution, reply.body, kept) }));
    const { config } = this.store.kept;
    if (!config || versionOf(config) < resolution.configVersion) {
      void this.configure();
    }
    return resolution;
  }

  private assignmentIn(resolution: Resolution, body: Json | null, kept: Kept): Partial<Kept> {
    const { experimentId, variant, configVersion } = resolution;
    if (resolution.source !== "experiment" || !experimentId || !variant) {
      return {};
    }
    const { config } = kept;
    const isNewEnough = config && versionOf(config) >= configVersion;
    const variantSalt = isNewEnough ? variantSaltOf(config, experimentId) : "";
    const assignment = { experimentId, variant, variantSalt, configVersion };
    return { assignment, token: text(object(body?.assignment).token) || kept.token };
  }

  private async fetchConfig(): Promise<void> {
    await this.store.ready;
    const { etag, config, deviceId } = this.store.kept;
    const headers: Record<string, string> = config && etag ? { "If-None-Match": etag } : {};
    const request = { method: "GET", path: CONFIG_PATH, headers, timeoutMs: REQUEST_MS } as const;
    const reply = await this.connection.send(request).catch(() => NO_REPLY);
    const { body } = reply;
    if (reply.status !== 200 || !body || !isConfiguration(body) || this.store.kept.deviceId !== deviceId) {
      return;
    }
    const version = versionOf(body);
    const before = this.store.kept.config;
    if (!before || version >= versionOf(before)) {
      this.store.change(({ assignment }) => ({
        ...{ config: body, etag: reply.etag },
        assignment:
          assignment && !assignment.variantSalt && version >= assignment.configVersion
            ? { ...assignment, variantSalt: variantSaltOf(body, assignment.experimentId) }
            : assignment,
      }));
    }
  }

  private decided(
    config: Json,
    device: Device,
    origin: Origin,
    kept: KeptAssignment | null,
    keep: Keep,
  ): Resolution | null {
    try {
      if (!isConfiguration(config)) {
        return null;
      }
      const decision = decide(config, device, kept);
      const flow = decision && flowOf(config, decision.flowId, device.locale);
      if (!decision || !flow || !isFlow(flow)) {
        return none(origin, versionOf(config));
      }
      keep(decision, kept);
      return {
        ...{ status: "flow", source: decision.source, flow, flowId: flow.id, origin, configVersion: versionOf(config) },
        experimentId: decision.assignment?.experimentId ?? null,
        variant: decision.assignment?.variant ?? null,
      };
    } catch (error) {
      this.warn("The configuration cannot be used.", error);
      return null;
    }
  }

  /** Keep a variant that the device enters offline. One whose configuration is not here yet is newer, and stays. */
  private keep({ assignment }: Decision, kept: Kept["assignment"]): void {
    if (assignment && assignment !== kept && (!kept || kept.variantSalt)) {
      this.store.change(() => ({ assignment }));
    }
  }
}

/** Return whether a value is a configuration that decides. */
export function isConfiguration(value: Json): boolean {
  return (
    typeof value.configVersion === "number" &&
    Array.isArray(value.flows) &&
    Array.isArray(value.experiments) &&
    Array.isArray(object(value.settings).platforms)
  );
}

function versionOf(config: Json): number {
  return number(config.configVersion) ?? 0;
}

function answerIn(reply: Reply): Resolution | null {
  const { status, body } = reply;
  if (status === 404 && errorCode(reply) === "INVALID_FLOW") {
    return none("network", 0);
  }
  const assignment = object(body?.assignment);
  const [flow, source] = [body?.flow as Flow, text(assignment.source)];
  if (status !== 200 || !isFlow(flow) || !SOURCES.includes(source)) {
    return null;
  }
  return {
    ...{ status: "flow", source: source as Source, flow, flowId: flow.id, origin: "network" },
    experimentId: text(assignment.experimentId) || null,
    variant: text(assignment.variant) || null,
    configVersion: number(body?.configVersion) ?? 0,
  };
}

function isResolution(value: Resolution): boolean {
  return value.status === "none" || (value.status === "flow" && isFlow(value.flow));
}

/** Return whether an app can draw a flow: half of one is none. */
function isFlow(value: unknown): value is Flow {
  const flow = object(value);
  const isScreen = (screen: unknown) => text(object(screen).id) !== "" && text(object(screen).type) !== "";
  return text(flow.id) !== "" && Array.isArray(flow.screens) && list(flow.screens).every(isScreen);
}

function none(origin: Origin, configVersion: number): Resolution {
  return {
    ...{ status: "none", source: null, flow: null, flowId: null, experimentId: null, variant: null },
    ...{ origin, configVersion },
  };
}
