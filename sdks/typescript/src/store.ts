/**
 * The state of the SDK on the device: one text under one key, written whole and in order. A storage that fails, is full or
 * does not answer costs the state of the next start, and nothing else.
 */

import { type Json, list, number, object, text } from "@onboarding/flow/json";
import type { KeptAssignment } from "./deciding";
import type { Attributes, Clock, OnboardingEvent, Resolution, Storage } from "./types";

export interface Kept {
  deviceId: string;
  attributes: Attributes;
  /** The newest token of an assignment. */
  token: string;
  assignment: KeptAssignment | null;
  /** The last answer of the service; null before the first one. */
  resolved: Resolution | null;
  /** The configuration with the highest version, and its ETag. */
  config: Json | null;
  etag: string;
  /** How each flow ended on this device. */
  outcomes: Record<string, Outcome>;
  /** The visit that an app draws itself. */
  visit: { flowId: string; sessionId: string; state: Json } | null;
}

export type Outcome = "completed" | "skipped";

/** An event in the queue. Its text is made once, because the state is written often. */
export interface QueuedEvent {
  eventId: string;
  eventType: string;
  json: string;
  /** Whether this process made it. Others may be gone from the storage, because another tab has sent them. */
  isOwn: boolean;
}

const VERSION = 1;
/** A storage that does not answer for so long is not waited for any more. */
const READ_MS = 1_000;
const NOT_READ = "The stored state cannot be read.";
const NOT_STORED = "The state cannot be stored.";

export class Store {
  /** Settled when the stored state is there, or storage has failed or was too slow. Never rejected. */
  readonly ready: Promise<void>;
  kept: Kept;
  events: QueuedEvent[] = [];
  private readonly key: string;
  /** Pages are large, and the state is written often. */
  private readonly pageKey: string;
  /** Whether the stored state was read; before that nothing is written over it. */
  private isRead = false;
  /** The changes before that. */
  private readonly early: ((kept: Kept) => Partial<Kept>)[] = [];
  /** Whether storage answers at once. Then other tabs or processes may share it. */
  private isShared = false;
  /** The text that storage has, as far as this process knows. */
  private stored = "";
  private isWriting = false;
  private isBehind = false;
  private keptText: { kept: Kept; json: string } | null = null;

  constructor(
    private readonly storage: Storage,
    projectId: string,
    private readonly newId: () => string,
    private readonly clock: Clock,
    private readonly warn: (message: string, detail?: unknown) => void,
  ) {
    this.key = `doorstep.${projectId}`;
    this.pageKey = `${this.key}.page`;
    this.kept = empty(newId());
    this.ready = this.read();
  }

  /** Change the state, on top of what another tab has written, and keep it. */
  change(changes: (kept: Kept) => Partial<Kept>): void {
    this.takeOver();
    this.kept = { ...this.kept, ...changes(this.kept) };
    if (!this.isRead) {
      this.early.push(changes);
    }
    this.write();
  }

  /** Change the queue of events, with those that another tab has added, and keep it. */
  changeEvents(changes: (events: QueuedEvent[]) => QueuedEvent[]): void {
    this.takeOver();
    this.events = changes(this.events);
    this.write();
  }

  /** Return the text of the kept page; empty without one, or where storage fails or is too slow. */
  async readPage(): Promise<string> {
    try {
      return (await Promise.race([this.storage.get(this.pageKey), this.late()])) || "";
    } catch {
      return "";
    }
  }

  /** Keep the text of a page. */
  async writePage(content: string): Promise<void> {
    try {
      await this.storage.set(this.pageKey, content);
    } catch (error) {
      this.warn(NOT_STORED, error);
    }
  }

  /** Forget everything. The device gets another id. */
  reset(): void {
    void this.writePage("");
    this.kept = empty(this.newId());
    this.events = [];
    this.write();
  }

  private read(): Promise<void> {
    try {
      const found = this.storage.get(this.key);
      if (!isPromise(found)) {
        this.isShared = true;
        this.load(found);
        return Promise.resolve();
      }
      const loaded = found.then(
        (value) => this.load(value),
        (error) => this.fail(error),
      );
      return Promise.race([loaded, this.late()]);
    } catch (error) {
      this.fail(error);
      return Promise.resolve();
    }
  }

  private late(): Promise<void> {
    return new Promise((settle) => void this.clock.after(READ_MS, settle));
  }

  private fail(error: unknown): void {
    this.warn(NOT_READ, error);
    this.load(null);
  }

  /** Take the stored state over, and write what happened before it was there. */
  private load(found: string | null | undefined): void {
    this.isRead = true;
    const { kept, events } = parse(found);
    const own = this.events;
    this.events = [...events, ...own];
    if (kept) {
      this.stored = found ?? "";
      this.kept = this.early.reduce((known, changes) => Object.assign(known, changes(known)), kept);
    }
    if (!kept || own.length > 0 || this.early.length > 0) {
      this.write();
    }
  }

  /** Take over what another tab or process has written since. */
  takeOver(): void {
    try {
      const found = this.isShared ? this.storage.get(this.key) : null;
      if (typeof found === "string" && found !== this.stored) {
        const { kept, events } = parse(found);
        if (kept) {
          this.stored = found;
          this.kept = { ...this.kept, ...kept };
          const known = new Set(events.map(({ eventId }) => eventId));
          this.events = [...events, ...this.events.filter((event) => event.isOwn && !known.has(event.eventId))];
        }
      }
    } catch (error) {
      this.warn(NOT_READ, error);
    }
  }

  private write(): void {
    if (!this.isRead) {
      return;
    }
    if (this.isWriting) {
      this.isBehind = true;
      return;
    }
    const content = this.content();
    try {
      const written = this.storage.set(this.key, content);
      if (isPromise(written)) {
        this.isWriting = true;
        written.then(
          () => this.wrote(content),
          (error) => this.wrote("", error),
        );
      } else {
        this.stored = content;
      }
    } catch (error) {
      this.warn(NOT_STORED, error);
    }
  }

  private wrote(content: string, error?: unknown): void {
    this.isWriting = false;
    if (content) {
      this.stored = content;
    } else {
      this.warn(NOT_STORED, error);
    }
    if (this.isBehind) {
      this.isBehind = false;
      this.write();
    }
  }

  private content(): string {
    if (this.keptText?.kept !== this.kept) {
      this.keptText = { kept: this.kept, json: JSON.stringify(this.kept) };
    }
    const events = this.events.map(({ json }) => json).join(",");
    return `{"version":${VERSION},"kept":${this.keptText.json},"events":[${events}]}`;
  }
}

/** Return an event as the queue keeps it. */
export function queued(event: OnboardingEvent, isOwn: boolean): QueuedEvent {
  const { eventId, eventType } = event;
  return { eventId, eventType, json: JSON.stringify(event), isOwn };
}

function empty(deviceId: string): Kept {
  return {
    deviceId,
    attributes: {},
    token: "",
    assignment: null,
    resolved: null,
    config: null,
    etag: "",
    outcomes: {},
    visit: null,
  };
}

/** Return the state in a text; `kept` is null for a text that this release did not write. */
function parse(found: string | null | undefined): { kept: Kept | null; events: QueuedEvent[] } {
  try {
    const document = object(JSON.parse(found || "{}"));
    const kept = object(document.kept);
    const deviceId = text(kept.deviceId);
    if (document.version !== VERSION || !deviceId) {
      return { kept: null, events: [] };
    }
    const events = list(document.events)
      .map(object)
      .filter(({ eventId, eventType }) => text(eventId) && text(eventType))
      .map((event) => queued(event as unknown as OnboardingEvent, false));
    return {
      kept: {
        deviceId,
        attributes: object(kept.attributes) as Attributes,
        token: text(kept.token),
        assignment: kept.assignment ? readAssignment(object(kept.assignment)) : null,
        resolved: kept.resolved ? (object(kept.resolved) as unknown as Resolution) : null,
        config: kept.config ? object(kept.config) : null,
        etag: text(kept.etag),
        outcomes: object(kept.outcomes) as Record<string, Outcome>,
        visit: kept.visit ? (object(kept.visit) as unknown as Kept["visit"]) : null,
      },
      events,
    };
  } catch {
    return { kept: null, events: [] };
  }
}

function readAssignment({ experimentId, variant, variantSalt, configVersion }: Json): KeptAssignment {
  return {
    experimentId: text(experimentId),
    variant: text(variant),
    variantSalt: text(variantSalt),
    configVersion: number(configVersion) ?? 0,
  };
}

function isPromise<Value>(value: Value | Promise<Value>): value is Promise<Value> {
  return typeof (value as Promise<Value> | null)?.then === "function";
}
