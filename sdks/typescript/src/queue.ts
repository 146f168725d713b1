/** Events on their way to the service: none is lost, and none is in the way of the others. */

import { type Json, list, object, text } from "@onboarding/flow/json";
import { type Connection, errorCode, type Reply } from "./connection";
import { type QueuedEvent, queued, type Store } from "./store";
import type { Clock, OnboardingEvent, Queue } from "./types";

const PATH = "/api/analytics/events";
const MAX_EVENTS = 1_000;
const BATCH_EVENTS = 50;
/** A request that outlives its page has at most 64 KiB, and a character at most 3 bytes. */
const KEEPALIVE_CHARACTERS = 20_000;
const REQUEST_MS = 10_000;
const FLUSH_MS = 5_000;
const FLUSH_AT = 20;
const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 30_000;

/** Events that are never dropped for others. */
const KEPT = new Set(["flow_started", "flow_completed", "flow_skipped"]);
/** Events of the SDK. All others are events of the app, which are dropped first. */
const BUILT_IN = /^(?:screen_|flow_|question_|permission_|paywall_|signup_)|^(?:purchase|trial_started)$/;
/** Replies that keep the events: the next request may succeed. */
const REPEATED = [401, 403, 408, 429];

/** Runs while other tabs do not. */
export type Lock = (run: () => Promise<boolean>) => Promise<boolean>;

export class EventQueue implements Queue {
  private sending: Promise<boolean> | null = null;
  private cancelTimer: (() => void) | null = null;
  private failures = 0;
  /** The time before which the service takes nothing, by `Retry-After`. */
  private notBefore = 0;
  /** Halved while the service refuses batches as a whole. */
  private batchEvents = BATCH_EVENTS;
  private isClosed = false;

  constructor(
    private readonly store: Store,
    private readonly connection: Connection,
    private readonly clock: Clock,
    private readonly random: () => number,
    private readonly warn: (message: string, detail?: unknown) => void,
    private readonly lock: Lock,
  ) {}

  add(event: OnboardingEvent): void {
    this.store.changeEvents((events) => withRoom([...events, queued(event, true)]));
    if (this.failures === 0) {
      this.sendIn(this.store.events.length >= FLUSH_AT ? 0 : FLUSH_MS);
    }
  }

  /** Send all events. With `keepalive` the last request may outlive the page. */
  async flush(keepalive = false): Promise<boolean> {
    await this.store.ready;
    while (this.store.events.length > 0) {
      if (!(await this.send(keepalive))) {
        return false;
      }
    }
    return true;
  }

  /** Send what is stored from an earlier start. */
  async start(): Promise<void> {
    await this.store.ready;
    if (this.store.events.some(({ isOwn }) => !isOwn)) {
      this.sendIn(0);
    }
  }

  close(): void {
    this.isClosed = true;
    this.cancelTimer?.();
  }

  private sendIn(milliseconds: number): void {
    if (this.isClosed || this.store.events.length === 0 || (this.cancelTimer && milliseconds > 0)) {
      return;
    }
    this.cancelTimer?.();
    this.cancelTimer = this.clock.after(milliseconds, () => {
      this.cancelTimer = null;
      void this.flush();
    });
  }

  /** Send one batch, unless one is under way. Return whether the next one can follow at once. */
  private send(keepalive: boolean): Promise<boolean> {
    this.sending ??= this.lock(() => this.sendBatch(keepalive))
      .catch((error) => {
        this.warn("Events cannot be sent.", error);
        return false;
      })
      .then((isSent) => {
        this.sending = null;
        return isSent;
      });
    return this.sending;
  }

  private async sendBatch(keepalive: boolean): Promise<boolean> {
    const now = this.clock.now();
    if (now < this.notBefore) {
      this.sendIn(this.notBefore - now);
      return false;
    }
    this.store.takeOver();
    const batch = this.nextBatch(keepalive);
    if (batch.length === 0) {
      return true;
    }
    const sentAt = new Date(now).toISOString();
    const body = `{"sentAt":"${sentAt}","events":[${batch.map(({ json }) => json).join(",")}]}`;
    const request = { method: "POST", path: PATH, body, timeoutMs: REQUEST_MS, keepalive } as const;
    const reply = await this.connection.send(request);
    const settled = settledBy(reply, batch);
    if (settled.size > 0) {
      this.store.changeEvents((events) => events.filter(({ eventId }) => !settled.has(eventId)));
      this.logRejections(reply);
      this.failures = 0;
      this.batchEvents = this.store.events.length === 0 ? BATCH_EVENTS : this.batchEvents;
      return true;
    }
    if (isHalved(reply) && batch.length > 1) {
      this.batchEvents = Math.floor(batch.length / 2);
      return true;
    }
    this.waitAfter(reply);
    return false;
  }

  private nextBatch(keepalive: boolean): QueuedEvent[] {
    const batch = this.store.events.slice(0, this.batchEvents);
    let characters = 0;
    const isSmall = ({ json }: QueuedEvent) => {
      characters += json.length + 1;
      return characters <= KEEPALIVE_CHARACTERS;
    };
    const small = keepalive ? batch.filter(isSmall) : batch;
    return small.length > 0 ? small : batch;
  }

  /** Full jitter: without it all devices come back at once after an outage. */
  private waitAfter({ retryAfterMs }: Reply): void {
    this.failures += 1;
    const longest = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** this.failures);
    this.notBefore = retryAfterMs > 0 ? this.clock.now() + retryAfterMs : 0;
    this.cancelTimer?.();
    this.cancelTimer = null;
    this.sendIn(Math.max(1, retryAfterMs + Math.floor(this.random() * longest)));
  }

  private logRejections({ status, body }: Reply): void {
    const rejected = list(body?.results).filter((result) => object(result).status === "rejected");
    if (rejected.length > 0 || status >= 300) {
      this.warn("The service has rejected events.", rejected.length > 0 ? rejected : (body as Json));
    }
  }
}

/** Return the ids of the events that need not be sent again. */
function settledBy(reply: Reply, batch: QueuedEvent[]): Set<string> {
  const { status, body } = reply;
  if (status >= 200 && status < 300 && body?.success === true) {
    const named = list(body.results).map((result) => text(object(result).eventId));
    // A rejected event has no id in the result; the results are in the order of the batch.
    const isWhole = named.length === batch.length;
    return new Set(batch.map(({ eventId }) => eventId).filter((id) => isWhole || named.includes(id)));
  }
  const isFinal = status >= 400 && status < 500 && !REPEATED.includes(status) && isOfService(reply);
  return new Set(isFinal && (!isHalved(reply) || batch.length === 1) ? batch.map(({ eventId }) => eventId) : []);
}

/** Return whether a batch is refused as a whole, perhaps for one of its events. */
function isHalved(reply: Reply): boolean {
  return (reply.status === 400 || reply.status === 413) && isOfService(reply);
}

/** Return whether an error is the service's answer. A portal's is not; a proxy knows what is too large. */
function isOfService(reply: Reply): boolean {
  return errorCode(reply) !== "" || reply.status === 413;
}

/** Return the events that the queue keeps: the oldest ones of the app go first, starts and ends of flows never. */
function withRoom(events: QueuedEvent[]): QueuedEvent[] {
  const surplus = events.length - MAX_EVENTS;
  if (surplus <= 0) {
    return events;
  }
  const custom = events.filter(({ eventType }) => !BUILT_IN.test(eventType));
  const others = events.filter(({ eventType }) => BUILT_IN.test(eventType) && !KEPT.has(eventType));
  const dropped = new Set([...custom, ...others].slice(0, surplus));
  return events.filter((event) => !dropped.has(event));
}
