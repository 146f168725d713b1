/** Events are in localStorage until the service has confirmed them. Each has an id, so a repeated event counts once. */

import { type Json, list, object, text } from "@onboarding/flow/json";
import { openStore, randomId, readJson, type TextStore } from "./storage";

export interface Event {
  eventId: string;
  eventType: string;
  timestamp: string;
  [member: string]: unknown;
}

interface Batch {
  events: Event[];
  url: string;
}

interface Reply {
  status: number;
  body: Json;
  retryAfterMs: number;
}

const MAX_WAITING = 500;
/** Browsers send at most 64 KiB after the end of a page. */
const MAX_BATCH_CHARACTERS = 20_000;
/** The service refuses longer events, so that they are not kept. */
const MAX_EVENT_CHARACTERS = 60_000;
const FIRST_RETRY_MS = 2_000;
const MAX_RETRY_MS = 60_000;
const REQUEST_MS = 10_000;
const END_RETRY_MS = 300;

/** Records events, and sends them in batches with retries, one request at a time. */
export class EventQueue {
  private sending: Promise<boolean> | null = null;
  private timer = 0;
  private retryMs = FIRST_RETRY_MS;
  /** The time before which the service wants no request, by `Retry-After`. */
  private notBefore = 0;
  /** Halved while the service refuses a batch as a whole, so that one event does not block the others. */
  private maxEvents = MAX_WAITING;
  /** Changed after each request without a reply: WebView 80 refuses requests of JSON that may outlive the page. */
  private keepalive = true;
  private readonly key: string;

  /** `url` is the batch endpoint below the page's ticket; `common` has members of all events. */
  constructor(
    private readonly url: string,
    projectId: string,
    private readonly common: Json,
    private readonly context = "",
    private readonly store: TextStore = openStore(() => localStorage),
  ) {
    this.key = `onboarding.events.${projectId}`;
  }

  /** Send the events of earlier visits, and send again when the browser is online or the page is hidden. */
  start(): void {
    window.addEventListener("online", () => this.sendSoon());
    window.addEventListener("pagehide", () => this.sendByBeacons());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") {
        this.sendByBeacons();
      }
    });
    this.sendSoon();
  }

  /** Record an event with the present time, and send it soon. */
  add(eventType: string, members: Json = {}): void {
    const event = { ...this.common, ...members, eventId: randomId(), eventType, timestamp: new Date().toISOString() };
    if (JSON.stringify(event).length <= MAX_EVENT_CHARACTERS) {
      // A later visit, which sends the event if this one cannot, may have another context.
      this.write([...this.stored, { ...event, context: this.context }].slice(-MAX_WAITING));
      this.sendSoon();
    }
  }

  /** Send everything that waits, for up to `limitMs`. Return the events that the service has not confirmed. */
  async finish(limitMs: number): Promise<Event[]> {
    const end = Date.now() + limitMs;
    while (this.stored.length > 0 && Date.now() < end && this.notBefore < end) {
      const isSent = await Promise.race([this.send(), pause(end - Date.now())]);
      if (!isSent) {
        await pause(Math.min(END_RETRY_MS, end - Date.now()));
      }
    }
    return this.stored.map(withoutContext);
  }

  private get stored(): Event[] {
    return list(readJson<unknown>(this.store, this.key, [])).filter((event): event is Event =>
      Boolean(text(object(event).eventId)),
    );
  }

  private write(events: Event[]): void {
    this.store.set(this.key, JSON.stringify(events));
  }

  private forget(events: Event[]): void {
    const ids = new Set(events.map(({ eventId }) => eventId));
    this.write(this.stored.filter(({ eventId }) => !ids.has(eventId)));
  }

  private sendSoon(delayMs = 50): void {
    window.clearTimeout(this.timer);
    const delay = Math.max(delayMs, this.notBefore - Date.now());
    this.timer = window.setTimeout(() => void this.send(), delay);
  }

  /** Return the next batch of these events: as many as one request takes, of one context. */
  private batch(waiting: Event[]): Batch | null {
    if (waiting.length === 0) {
      return null;
    }
    const context = text(waiting[0]?.context);
    const sentAt = new Date().toISOString();
    const events: Event[] = [];
    let size = 0;
    for (const event of waiting.slice(0, this.maxEvents)) {
      size += JSON.stringify(event).length;
      if (text(event.context) !== context || (events.length > 0 && size > MAX_BATCH_CHARACTERS)) {
        break;
      }
      events.push({ ...withoutContext(event), sentAt });
    }
    return { events, url: context ? `${this.url}?${context}` : this.url };
  }

  /** Send one batch, unless one is under way. Return whether the next one can follow at once. */
  private send(): Promise<boolean> {
    this.sending ??= this.sendBatch().finally(() => {
      this.sending = null;
    });
    return this.sending;
  }

  private async sendBatch(): Promise<boolean> {
    const batch = this.batch(this.stored);
    if (!batch || Date.now() < this.notBefore) {
      return false;
    }
    const reply = await post(batch, this.keepalive);
    const isRefused = reply.status === 400 || reply.status === 413 || reply.status === 422;
    const isConfirmed = reply.status >= 200 && reply.status < 300 && reply.body.success === true;
    if (isRefused && batch.events.length > 1) {
      this.maxEvents = Math.ceil(batch.events.length / 2);
    } else if (isConfirmed || isRefused) {
      logRejections(batch, reply);
      this.forget(batch.events);
      this.maxEvents = isConfirmed ? MAX_WAITING : this.maxEvents;
    } else {
      this.keepalive = this.keepalive !== (reply.status === 0);
      this.notBefore = Date.now() + reply.retryAfterMs;
      this.sendSoon(this.retryMs);
      this.retryMs = Math.min(MAX_RETRY_MS, this.retryMs * 2);
      return false;
    }
    this.retryMs = FIRST_RETRY_MS;
    this.sendSoon(0);
    return true;
  }

  /** A beacon has no result, so the events stay stored, and the next visit repeats them. */
  private sendByBeacons(): void {
    let rest = this.stored;
    for (let batch = this.batch(rest); batch; batch = this.batch(rest)) {
      const body = new Blob([JSON.stringify({ events: batch.events })], { type: "application/json" });
      try {
        if (!navigator.sendBeacon?.(batch.url, body)) {
          return;
        }
      } catch {
        // WebView 80 takes no JSON in a beacon.
        return;
      }
      rest = rest.slice(batch.events.length);
    }
  }
}

function withoutContext({ context: _, ...event }: Event): Event {
  return event as Event;
}

/** Return false after a time. */
function pause(ms: number): Promise<false> {
  return new Promise((resolve) => window.setTimeout(() => resolve(false), ms));
}

/** Send a batch and return the reply; the status is 0 without one in time. */
async function post({ events, url }: Batch, keepalive: boolean): Promise<Reply> {
  const abort = new AbortController();
  const timeout = window.setTimeout(() => abort.abort(), REQUEST_MS);
  try {
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify({ events });
    const response = await fetch(url, {
      method: "POST",
      body,
      headers,
      keepalive,
      credentials: "omit",
      signal: abort.signal,
    });
    // The login page of a network has status 200, too, but is no JSON of the service.
    const reply = object(await response.json().catch(() => null));
    const seconds = Number(response.headers.get("Retry-After"));
    return { status: response.status, body: reply, retryAfterMs: seconds > 0 ? seconds * 1000 : 0 };
  } catch {
    return { status: 0, body: {}, retryAfterMs: 0 };
  } finally {
    window.clearTimeout(timeout);
  }
}

function logRejections({ events }: Batch, { status, body }: Reply): void {
  const rejected = list(body.results)
    .map(object)
    .filter((result) => result.status === "rejected");
  if (rejected.length > 0 || status >= 300) {
    console.warn("events were rejected", status, rejected.length > 0 ? rejected : events);
  }
}
