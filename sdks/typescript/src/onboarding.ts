/** The client of an app. */

import { type Json, object, text } from "@onboarding/flow/json";
import { Connection } from "./connection";
import { deviceOf } from "./device";
import { newId } from "./ids";
import { Listeners } from "./listeners";
import { EventQueue } from "./queue";
import { Resolver } from "./resolver";
import { followBrowser, openStorage, systemClock, tabLock } from "./runtime";
import { FlowSession, type Handler } from "./session";
import { type Kept, type Outcome, Store } from "./store";
import type { Attributes, Clock, Device, EventMembers, Flow, OnboardingEvent, Options, Resolution } from "./types";

/** The address of pages is asked for once a day: its ticket holds for seven days. */
const PAGES_MS = 86_400_000;
const TIMEOUT_MS = 2_000;
const PAGE_MS = 10_000;
/** The member of a stored page that gets the address of the device. */
const STORED = "<body data-stored";
/** A document of the service that has arrived to its end. */
const WHOLE_PAGE = /<body data-stored>.*<\/html>\s*$/s;
const EVENT_TYPE = /^[a-z][a-z0-9_.]{0,63}$/;
const MAX_PROPERTIES = 16_384;
const PREVIEW_LINK = /^https?:\/\/[^/?#]+(?:\/[^?#]*)?\/s\/[^/?#]+\/onboarding\/[^/?#]+\/\d+(?:[?#]|$)/;

export type Change = "link" | "attributes" | "reset" | "resolution";

/** A hosted page without its service. */
export interface StoredPage {
  html: string;
  url: string;
}

export interface ResolveOptions {
  signal?: AbortSignal | undefined;
  attributes?: Attributes | undefined;
  locale?: string | undefined;
}

/** Return the client of a project. It reads its storage, and sends events that an earlier start has left. */
export function createOnboarding(options: Options): Onboarding {
  return new Onboarding(options);
}

export class Onboarding {
  /** The preview link that `handleLink` took, until a renderer has shown it. */
  link: string | null = null;
  /** The last result of `resolve`. */
  resolution: Resolution | null = null;
  readonly connection: Connection;
  /** Gets each flow of the service before it is shown, so that a renderer fetches what it needs. Never rejected. */
  warm: ((resolution: Resolution) => Promise<unknown>) | null = null;
  private readonly clock: Clock;
  private readonly store: Store;
  private readonly queue: EventQueue;
  private readonly resolver: Resolver;
  private readonly listeners: Listeners<Change>;
  private readonly unfollow: () => void;
  private readonly bundled: Json | null;
  private resolving: { body: string; result: Promise<Resolution> } | null = null;
  private pages: Promise<string | null> | null = null;
  private pagesAt = 0;
  private warming: Promise<unknown> | undefined;

  constructor(
    readonly options: Options,
    clock: Clock = systemClock(options.now),
  ) {
    const { baseUrl, projectId, secretKey } = options;
    const request: typeof fetch = (...given) => (options.fetch ?? globalThis.fetch)(...given);
    const warn = (message: string, detail?: unknown) => this.warn(message, detail);
    this.clock = clock;
    this.listeners = new Listeners(warn);
    this.bundled = options.bundled ? object(options.bundled) : null;
    this.connection = new Connection(baseUrl, { "X-Project-Id": projectId, "X-Secret-Key": secretKey }, request, clock);
    this.store = new Store(options.storage ?? openStorage(), projectId, newId, clock, warn);
    const lock = tabLock(`doorstep.${projectId}`, clock);
    this.queue = new EventQueue(this.store, this.connection, clock, options.random ?? Math.random, warn, lock);
    this.resolver = new Resolver(this.store, this.connection, clock, this.bundled, warn);
    this.unfollow = followBrowser({
      hidden: () => void this.queue.flush(true),
      online: () => void this.queue.flush(),
    });
    void this.queue.start();
  }

  /** Return the flow for this device within `timeoutMs`. The promise is never rejected. */
  resolve(given?: ResolveOptions | null): Promise<Resolution> {
    const { signal, attributes, locale } = given ?? {};
    const body = JSON.stringify([attributes, locale]);
    if (this.resolving?.body === body && !signal) {
      return this.resolving.result;
    }
    const timeoutMs = this.options.timeoutMs ?? TIMEOUT_MS;
    const device = () => this.device(attributes, locale);
    const result = this.resolver.resolve(device, timeoutMs, signal).then((resolution) => {
      this.resolving = this.resolving === flight ? null : this.resolving;
      this.resolution = resolution;
      this.warming = resolution.origin === "network" && resolution.flow ? this.warm?.(resolution) : undefined;
      this.listeners.notify("resolution");
      return resolution;
    });
    const flight = { body, result };
    this.resolving = signal ? this.resolving : flight;
    return result;
  }

  /**
   * Begin the visit of a flow that the app draws itself, or go on with the one that the last start has left. The session
   * reports its events. `draws` says which screens of type `native` the app has, by default all. Do not start a flow that
   * a hosted page or another renderer shows: these report their own.
   */
  start(
    given: Resolution | Flow | null,
    ask?: Handler,
    onEvent?: (event: OnboardingEvent) => void,
    draws: (name: string) => boolean = () => true,
  ): FlowSession {
    const flow = given && "status" in given ? given.flow : given;
    const known = given && "status" in given ? given : this.resolution;
    const resolution = known?.flowId === flow?.id ? known : null;
    const source: Flow = flow ?? { id: "", name: "", theme: null, screens: [] };
    const { visit } = this.store.kept;
    const stored = visit?.flowId === source.id ? visit : null;
    const sessionId = text(stored?.sessionId) || newId();
    const { experimentId, variant } = resolution ?? {};
    const common = {
      ...(source.id ? { flowId: source.id } : {}),
      ...(experimentId && variant ? { experimentId, variant } : {}),
      sessionId,
    };
    const device = this.device();
    return new FlowSession(source, {
      context: device as unknown as Json,
      appName: this.appName,
      language: source.locale ?? device.locale ?? "en",
      recordAnswers: object(this.config?.settings).recordAnswers === true,
      variant: variant ?? null,
      stored: object(stored?.state),
      record: (eventType, members) => {
        const event = source.id && this.record(eventType, { ...common, ...members });
        if (event) {
          onEvent?.(event);
        }
      },
      save: (state) => this.store.change(() => ({ visit: state && { flowId: source.id, sessionId, state } })),
      finish: (outcome) => {
        if (source.id) {
          this.finish(source.id, outcome);
        }
        void this.flush();
      },
      ask,
      draws,
      warn: (message, detail) => this.warn(message, detail),
    });
  }

  /** Record an event of the app. Properties have at most 16 KiB as JSON. */
  track(type: string, properties?: Json): void {
    this.record(type, properties ? { properties } : {});
  }

  /** Record an event with the members that a renderer knows. Return it, or null for one that the service refuses. */
  record(eventType: string, members: EventMembers): OnboardingEvent | null {
    try {
      const { platform, appVersion, deviceId } = this.device();
      const locale = this.resolution?.flow?.locale;
      const known = { ...(platform && { platform }), ...(appVersion && { appVersion }), ...(locale && { locale }) };
      const timestamp = new Date(this.clock.now()).toISOString();
      const event = { eventId: newId(), eventType, timestamp, deviceId, ...known, ...members };
      if (!EVENT_TYPE.test(eventType) || JSON.stringify(members.properties ?? {}).length > MAX_PROPERTIES) {
        this.warn("The service refuses the type or the properties of the event.", eventType);
        return null;
      }
      this.queue.add(event);
      this.options.onEvent?.(event);
      return event;
    } catch (error) {
      this.warn("The event cannot be recorded.", error);
      return null;
    }
  }

  /** Send events that a hosted page could not send. They keep their ids, so that each counts once. */
  forward(events: readonly Json[]): void {
    const { flowId, experimentId, variant } = this.resolution ?? {};
    for (const event of events) {
      if (text(event.eventId) && text(event.timestamp) && EVENT_TYPE.test(text(event.eventType))) {
        const known = event.flowId === flowId && experimentId && variant ? { experimentId, variant } : {};
        this.queue.add({ ...known, ...event } as OnboardingEvent);
      }
    }
  }

  /** Set attributes of the device for targeting, beside those of the options. They are kept; undefined removes one. */
  setAttributes(attributes: Record<string, Attributes[string] | undefined>): void {
    this.store.change((kept) => {
      const merged = Object.entries({ ...kept.attributes, ...attributes }).filter(([, value]) => value !== undefined);
      return { attributes: Object.fromEntries(merged) as Attributes };
    });
    this.listeners.notify("attributes");
  }

  /** Name the user, as the attribute `user_id`, so that flows can be targeted at users. */
  identify(userId: string): void {
    this.setAttributes({ user_id: userId });
  }

  /** Forget everything: the device id, answers, attributes, and the events that were not sent. */
  reset(): void {
    this.store.reset();
    this.resolution = null;
    this.resolving = null;
    this.pages = null;
    this.listeners.notify("reset");
  }

  /** Send the events that wait. The promise is never rejected; without the service it ends early. */
  async flush(): Promise<void> {
    await this.queue.flush();
  }

  /** Send the events that wait, and stop. */
  close(): void {
    void this.queue.flush(true);
    this.queue.close();
    this.unfollow();
  }

  /** Fetch the configuration and the flow, and make the renderer of the app ready for it. */
  async preload(): Promise<void> {
    await Promise.all([this.resolve(), this.configure()]);
    await this.warming;
  }

  /** Keep the hosted page of a flow as one document, for starts without the service. Never rejected. */
  async keepPage({ flowId, configVersion }: Resolution): Promise<void> {
    const url = await this.page(flowId ?? "");
    const name = `${flowId} ${configVersion} ${this.device().locale}\n`;
    if (url && !(await this.store.readPage()).startsWith(name)) {
      // The service may have another address for pages, which does not get the key of the app.
      const path = `${url.slice(url.indexOf("/s/"))}&stored=1`;
      const { status, content } = await this.connection.send({ method: "GET", path, timeoutMs: PAGE_MS });
      if (status === 200 && WHOLE_PAGE.test(content)) {
        void this.store.writePage(name + content);
      }
    }
  }

  /** Return the page of a flow that `keepPage` has kept, and its address; null without one. */
  async storedPage(flowId: string, given?: ResolveOptions): Promise<StoredPage | null> {
    const kept = await this.store.readPage();
    const url = this.addressOf(`${this.options.baseUrl}/s/stored`, flowId, given).replace(/"/g, "");
    const html = kept.slice(kept.indexOf("\n") + 1).replace(STORED, () => `${STORED}="${url}"`);
    return kept.startsWith(`${flowId} `) ? { html, url } : null;
  }

  /** Fetch the configuration, at most once a minute, for decisions without the service. */
  configure(): Promise<void> {
    return this.resolver.configure();
  }

  /** Return true for a preview link of this service, which a renderer shows next. */
  handleLink(url: string): boolean {
    const { customDomain } = object(this.config?.settings);
    const places = [
      this.options.baseUrl.replace(/\/+$/, ""),
      ...(customDomain ? [`https://${text(customDomain)}`] : []),
    ];
    const isOurs = PREVIEW_LINK.test(url) && places.some((place) => url.startsWith(`${place}/s/`));
    if (isOurs) {
      this.link = url;
      this.listeners.notify("link");
    }
    return isOurs;
  }

  /** Return what pages and resolves know of the device. */
  device(attributes: Attributes = {}, locale?: string): Device {
    const { deviceId, attributes: kept } = this.store.kept;
    return deviceOf(this.options, deviceId, { ...kept, ...attributes }, locale);
  }

  /** Return the address of the hosted page of a flow, with the context of the device; null without the service. */
  async page(flowId: string, given?: ResolveOptions): Promise<string | null> {
    await this.store.ready;
    const now = this.clock.now();
    if (!this.pages || now - this.pagesAt > PAGES_MS) {
      this.pages = this.findPages();
      this.pagesAt = now;
    }
    const base = await this.pages;
    if (!base) {
      this.pages = null;
      return null;
    }
    return this.addressOf(base, flowId, given);
  }

  private addressOf(base: string, flowId: string, given: ResolveOptions = {}): string {
    const { attributes, ...device } = this.device(given.attributes, given.locale);
    const { token } = this.store.kept;
    const context = {
      ...device,
      ...(attributes ? { attributes: JSON.stringify(attributes) } : {}),
      ...(token ? { assignmentToken: token } : {}),
      bridge: "2",
    };
    const query = Object.entries(context).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    return `${base}/onboarding/${encodeURIComponent(flowId)}/1?${query.join("&")}`;
  }

  /** Return how a flow ended on this device before; null if it did not. */
  outcomeOf(flowId: string): Outcome | null {
    return this.store.kept.outcomes[flowId] ?? null;
  }

  /** Keep how a flow ended on this device. A completed flow stays completed. */
  finish(flowId: string, outcome: Outcome): void {
    this.store.change(({ outcomes }: Kept) => ({
      outcomes: { ...outcomes, [flowId]: outcomes[flowId] === "completed" ? "completed" : outcome },
    }));
  }

  /** Settled when the stored state is there. Never rejected. */
  get ready(): Promise<void> {
    return this.store.ready;
  }

  /** Call back after changes. Return a function that ends it. */
  subscribe(listener: (change: Change) => void): () => void {
    return this.listeners.add(listener);
  }

  /** Return the flow for any device by the configuration at hand, for servers. Nothing is kept. */
  decide(device: Device): Resolution {
    return this.resolver.decide(device);
  }

  /** The configuration at hand: the kept one, else the bundled one. */
  get config(): Json | null {
    return this.store.kept.config ?? this.bundled;
  }

  /** The name of the project, as texts show it; empty until a configuration is there. */
  get appName(): string {
    return text(this.config?.name);
  }

  private async findPages(): Promise<string | null> {
    const { projectId, secretKey, timeoutMs = TIMEOUT_MS } = this.options;
    const path = `/api/global-config?apiKey=${encodeURIComponent(secretKey)}&projectId=${encodeURIComponent(projectId)}`;
    const { status, body } = await this.connection.send({ method: "GET", path, timeoutMs });
    return (status === 200 && text(body?.backendDomain)) || null;
  }

  private warn(message: string, detail?: unknown): void {
    try {
      this.options.logger?.warn(`doorstep: ${message}`, detail);
    } catch {
      // A logger that fails is the app's affair.
    }
  }
}

export type { OnboardingEvent };
