/**
 * Bridge 2: JSON in both directions between a page and an app with an SDK of ours (docs/hosted-pages.md). The strings that
 * report something are sent beside it; what the app is asked for is sent once, as JSON.
 */

import { type Json, number, object } from "@onboarding/flow/json";
import type { Request } from "@onboarding/flow/session";
import { Bridge } from "../bridge";

const VERSION = 2;
const MAX_LENGTH = 65_536;

type Reply = (reply: Json | null) => void;

/** What an app tells unasked. */
export interface Orders {
  back(): void;
  pause(isPaused: boolean): void;
  attributes(attributes: Json): void;
}

/** What the app gets at the end of a flow. */
export interface End {
  outcome: string;
  answers: Json;
  variables: Json;
}

export class TalkingBridge extends Bridge {
  orders: Orders | null = null;
  /** Return how the flow has ended. */
  end: (() => End) | null = null;
  private last = 0;
  /** The requests without an answer yet. */
  private readonly waiting = new Map<number, Reply>();

  constructor(host: Window) {
    super(host);
    (host as Window & { onboardingHost?: unknown }).onboardingHost = (message: unknown) => this.receive(message);
  }

  /** Report something to the app. */
  tell(type: string, members: object = {}): void {
    this.last += 1;
    this.send(`onboarding:${JSON.stringify({ v: VERSION, id: this.last, type, ...members })}`);
  }

  /** Ask the app. The promise is rejected where it has no function for that, and stays open without an answer. */
  request(type: string, members: object = {}): Promise<Json> {
    return new Promise((resolve, reject) => {
      this.converse(type, members, (reply) => {
        reply ? resolve(reply) : reject(new Error(`The app has no answer to ${type}.`));
      });
    });
  }

  /** Ask the app, and call back for each answer until the returned function is called; null where it has no function. */
  converse(type: string, members: object, answered: Reply): () => void {
    const id = this.last + 1;
    // An app may answer before its receiver returns.
    this.waiting.set(id, answered);
    this.tell(type, members);
    return () => this.waiting.delete(id);
  }

  override ask(request: Request): Promise<unknown> | null {
    if (request.type === "rating") {
      return super.ask(request);
    }
    const { type, ...members } = request;
    return this.request(type, members);
  }

  override openUrl(url: string): void {
    this.tell("open_url", { url });
  }

  override sendAnswers(flowId: string, responses: object[]): void {
    this.tell("answers", { flowId, responses });
    super.sendAnswers(flowId, responses);
  }

  override close(pending: object[] = []): void {
    if (!this.isClosed) {
      if (pending.length > 0) {
        this.tell("pending_events", { events: pending });
      }
      this.tell("end", this.end?.());
      super.close();
    }
  }

  private receive(message: unknown): void {
    const { v, re, type, ...members } = parsed(message);
    if (v !== VERSION) {
      return;
    }
    const answered = this.waiting.get(number(re) ?? 0);
    if (answered) {
      answered(members.handled === false ? null : members);
    } else if (type === "back") {
      this.orders?.back();
    } else if (type === "pause" || type === "resume") {
      this.orders?.pause(type === "pause");
    } else if (type === "attributes") {
      this.orders?.attributes(object(members.attributes));
    }
  }
}

function parsed(message: unknown): Json {
  try {
    return typeof message === "string" && message.length <= MAX_LENGTH ? object(JSON.parse(message)) : {};
  } catch {
    return {};
  }
}
