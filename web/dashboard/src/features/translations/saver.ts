import { isTransient } from "@/api/errors";
import { errorText } from "@/ui/states";
import type { Translated } from "./queries";

const PAUSE_MILLISECONDS = 800;
const FIRST_RETRY_MILLISECONDS = 2_000;
const MAX_RETRY_MILLISECONDS = 30_000;

export interface SaverState {
  /** The texts that the service does not have yet, by their keys. */
  readonly edits: Readonly<Record<string, Translated>>;
  /** Why the service does not take a text, by its key. */
  readonly refused: Readonly<Record<string, string>>;
  readonly status: "saved" | "saving" | "waiting" | "failed";
  /** Why the last request failed for good; empty otherwise. */
  readonly reason: string;
}

type Send = (texts: Record<string, Translated>) => Promise<{ skipped: { key: string; reason: string }[] }>;

/** Saves the texts of one language: one request at a time, again after a lost one, and never an older text. */
export class TranslationSaver {
  private state: SaverState;
  private readonly listeners = new Set<() => void>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isSending = false;
  private retryMilliseconds = FIRST_RETRY_MILLISECONDS;

  /** `edits` are those that a former visit of the page has kept. */
  constructor(
    private readonly send: Send,
    edits: Record<string, Translated> = {},
  ) {
    this.state = { edits, refused: {}, status: Object.keys(edits).length > 0 ? "saving" : "saved", reason: "" };
  }

  getState = (): SaverState => this.state;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Take a text. It is sent after a pause in typing, or by `flush`. */
  set(key: string, edit: Translated): void {
    const { [key]: _, ...refused } = this.state.refused;
    this.change({ edits: { ...this.state.edits, [key]: edit }, refused, status: "saving", reason: "" });
    this.schedule(PAUSE_MILLISECONDS);
  }

  /** Send all texts now; without texts nothing is sent. Failed ones are sent again, after longer and longer times. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    const sent = this.state.edits;
    if (this.isSending || Object.keys(sent).length === 0) {
      return;
    }
    this.isSending = true;
    this.change({ status: "saving" });
    try {
      const { skipped } = await this.send({ ...sent });
      this.retryMilliseconds = FIRST_RETRY_MILLISECONDS;
      const edits = Object.fromEntries(Object.entries(this.state.edits).filter(([key, edit]) => sent[key] !== edit));
      const reasons = Object.fromEntries(skipped.map(({ key, reason }) => [key, reason]));
      const isDone = Object.keys(edits).length === 0;
      this.change({ edits, refused: { ...this.state.refused, ...reasons }, status: isDone ? "saved" : "saving" });
    } catch (error) {
      if (isTransient(error)) {
        this.change({ status: "waiting" });
        this.isSending = false;
        this.schedule(this.retryMilliseconds);
        this.retryMilliseconds = Math.min(MAX_RETRY_MILLISECONDS, 2 * this.retryMilliseconds);
        return;
      }
      // The texts stay in the form, and are sent with the next one.
      this.change({ status: "failed", reason: errorText(error) });
    }
    this.isSending = false;
    if (this.state.status === "saving") {
      this.schedule(PAUSE_MILLISECONDS);
    }
  }

  /** Send what is left, and end the waits. */
  close(): void {
    void this.flush();
    clearTimeout(this.timer);
  }

  private schedule(milliseconds: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.flush(), milliseconds);
  }

  private change(changes: Partial<SaverState>): void {
    this.state = { ...this.state, ...changes };
    for (const listener of this.listeners) {
      listener();
    }
  }
}
