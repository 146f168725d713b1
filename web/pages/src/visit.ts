/** One visit of a flow. Its position and answers are in sessionStorage, from its start to its end. */

import { type Json, object, text } from "@onboarding/flow/json";
import type { SessionState } from "@onboarding/flow/session";
import { openStore, randomId, readJson, type TextStore } from "./storage";

export class Visit {
  readonly sessionId: string;
  /** The state before a reload; empty in a new visit. */
  readonly stored: Json;
  private readonly key: string;

  constructor(
    flowId: string,
    deviceId: string,
    private readonly store: TextStore = openStore(() => sessionStorage),
  ) {
    this.key = `onboarding.visit.${flowId}.${deviceId}`;
    this.stored = object(readJson<unknown>(store, this.key, {}));
    this.sessionId = text(this.stored.sessionId) || randomId();
  }

  /** Keep the state of a session. Its end deletes it, so that the next visit begins anew. */
  save({ path, ahead, answers, choices, set, progress, isStarted, isOver }: SessionState): void {
    if (isOver) {
      this.store.remove(this.key);
    } else {
      const { sessionId } = this;
      this.store.set(this.key, JSON.stringify({ sessionId, path, ahead, answers, choices, set, progress, isStarted }));
    }
  }
}
