/** Events are in localStorage until the service has confirmed them. Each has an id, so a repeated event counts once. */

import { openStore, randomId, readJson, type TextStore } from "./storage";

export interface Event {
  eventId: string;
  eventType: string;
  timestamp: string;
  [member: string]: unknown;
}

const MAX_WAITING = 500;
/** Browsers send at most 64 KiB after the end of a page. */
const MAX_BATCH_CHARACTERS = 20_000;
const FIRST_RETRY_MS = 2_000;
const MAX_RETRY_MS = 60_000;

/** Records events, and sends them in batches with retries. */
export class EventQueue {
  private isSending = false;
  private timer = 0;
  private retryMs = FIRST_RETRY_MS;
  private readonly key: string;

  /** `url` is the batch endpoint below the page's ticket; `common` has members of all events. */
  constructor(
    private readonly url: string,
    projectId: string,
    private readonly common: Record<string, unknown>,
    private readonly store: TextStore = openStore(() => localStorage),
  ) {
    this.key = `onboarding.events.${projectId}`;
  }

  /** Send the events of earlier visits, and send again when the browser is online or the page ends. */
  start(): void {
    window.addEventListener("online", () => this.sendSoon());
    window.addEventListener("pagehide", () => this.sendAtEnd());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") {
        this.sendAtEnd();
      }
    });
    this.sendSoon();
  }

  /** Record an event with the present time, and send it soon. */
  add(eventType: string, members: Record<string, unknown> = {}): void {
    const event: Event = {
      ...this.common,
      ...members,
      eventId: randomId(),
      eventType,
      timestamp: new Date().toISOString(),
    };
    this.write([...this.waiting, event].slice(-MAX_WAITING));
    this.sendSoon();
  }

  /** Send the waiting events by a beacon, at the end of a visit: the app may close the page at once. */
  flush(): void {
    this.sendAtEnd();
  }

  get waiting(): Event[] {
    const waiting = readJson<unknown>(this.store, this.key, []);
    return Array.isArray(waiting) ? (waiting as Event[]) : [];
  }

  private write(events: Event[]): void {
    this.store.set(this.key, JSON.stringify(events));
  }

  private sendSoon(delayMs = 50): void {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.send(), delayMs);
  }

  private batch(): { ids: Set<string>; body: string } | null {
    const events: Event[] = [];
    let size = 0;
    for (const event of this.waiting) {
      size += JSON.stringify(event).length;
      if (events.length > 0 && size > MAX_BATCH_CHARACTERS) {
        break;
      }
      events.push(event);
    }
    return events.length > 0
      ? { ids: new Set(events.map((event) => event.eventId)), body: JSON.stringify({ events }) }
      : null;
  }

  private async send(): Promise<void> {
    const batch = this.isSending ? null : this.batch();
    if (!batch) {
      return;
    }
    this.isSending = true;
    const status = await post(this.url, batch.body);
    this.isSending = false;
    // The batch is malformed, or the project records no events: another request would get the same response.
    const isFinal = (status >= 200 && status < 300) || status === 400 || status === 413 || status === 422;
    if (isFinal) {
      this.retryMs = FIRST_RETRY_MS;
      this.write(this.waiting.filter((event) => !batch.ids.has(event.eventId)));
      this.sendSoon(0);
    } else {
      this.sendSoon(this.retryMs);
      this.retryMs = Math.min(MAX_RETRY_MS, this.retryMs * 2);
    }
  }

  /** A beacon has no result, so the events stay stored, and the next visit repeats them. */
  private sendAtEnd(): void {
    const batch = this.batch();
    if (batch) {
      navigator.sendBeacon?.(this.url, new Blob([batch.body], { type: "application/json" }));
    }
  }
}

/** Send a body and return the status; 0 without a response. */
async function post(url: string, body: string): Promise<number> {
  try {
    const headers = { "Content-Type": "application/json" };
    const response = await fetch(url, { method: "POST", body, headers, keepalive: true, credentials: "omit" });
    return response.status;
  } catch {
    return 0;
  }
}
