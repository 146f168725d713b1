import { ApiError, isTransient } from "@/api/errors";
import type { ErrorDetail } from "@/api/schema";
import { texts } from "@/texts";
import type { FlowDocument } from "./document";
import { type EditedFlow, fetchEdited, saveDraft } from "./queries";
import { ScreenIds } from "./screenIds";

export type SaveState =
  | { kind: "saved"; at: Date | null }
  | { kind: "saving" }
  | { kind: "waiting"; changes: number }
  | { kind: "failed"; error: unknown; details: readonly ErrorDetail[] }
  | { kind: "conflict"; theirs: EditedFlow };

const PAUSE_MILLISECONDS = 700;
const RETRY_MILLISECONDS = 5000;

/** Saves a document as the draft of its flow shortly after each change, one request at a time. */
export class DraftSaver {
  state: SaveState = { kind: "saved", at: null };
  readonly ids: ScreenIds;
  /** The document that the service has. */
  saved: FlowDocument;
  private document: FlowDocument;
  private changes = 0;
  private savedAt: Date | null = null;
  private timer = 0;
  private running: Promise<void> | null = null;
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly flowId: string,
    private flow: EditedFlow,
  ) {
    this.saved = flow.document;
    this.document = flow.document;
    this.ids = new ScreenIds(flow);
  }

  /** Whether the flow has a draft on the service. */
  get hasDraft(): boolean {
    return this.flow.etag !== null;
  }

  /** The entity tag and the base version of the stored draft. They are kept with unsaved work. */
  get base(): { etag: string | null; baseVersion: number } {
    return { etag: this.flow.etag, baseVersion: this.flow.baseVersion };
  }

  subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Set the document, and save it after a short pause. */
  update(document: FlowDocument): void {
    if (document === this.document) {
      return;
    }
    this.document = document;
    this.changes += 1;
    if (this.state.kind === "waiting") {
      this.setState({ kind: "waiting", changes: this.changes });
    } else if (this.state.kind !== "conflict") {
      this.setState({ kind: "saving" });
    }
    this.schedule(PAUSE_MILLISECONDS);
  }

  /** Save at once. Return whether the service has the document. */
  async flush(): Promise<boolean> {
    window.clearTimeout(this.timer);
    await this.running;
    if (this.state.kind !== "conflict") {
      if (this.document !== this.saved) {
        await this.save();
      } else if (this.state.kind !== "saved") {
        // The changes since the last save were undone.
        this.changes = 0;
        this.setState({ kind: "saved", at: this.savedAt });
      }
    }
    return this.document === this.saved;
  }

  /**
   * Resolve a conflict by saving over the other draft, on its base version. Return whether the service has the
   * document.
   */
  async keepMine(): Promise<boolean> {
    if (this.state.kind === "conflict") {
      this.flow = this.state.theirs;
      this.ids.load(this.state.theirs);
      this.setState({ kind: "saving" });
    }
    return this.flush();
  }

  /** Resolve a conflict with the other document, which the caller has to show. */
  takeTheirs(theirs: EditedFlow): void {
    this.flow = theirs;
    this.ids.load(theirs);
    this.saved = theirs.document;
    this.document = theirs.document;
    this.changes = 0;
    this.setState({ kind: "saved", at: null });
  }

  /**
   * Save the draft on the live version, so that it can be published over it. Return whether the service has the
   * document.
   */
  async rebase(liveVersion: number): Promise<boolean> {
    await this.flush();
    this.flow = { ...this.flow, baseVersion: liveVersion };
    await this.save();
    return this.document === this.saved;
  }

  /** Stop the timers when the editor closes, and save unsaved changes. */
  close(): void {
    window.clearTimeout(this.timer);
    if (this.state.kind === "saving") {
      void this.flush();
    }
  }

  private schedule(milliseconds: number): void {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.flush(), milliseconds);
  }

  private save(): Promise<void> {
    this.running = this.send().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  private async send(): Promise<void> {
    const { document, changes } = this;
    this.setState({ kind: "saving" });
    try {
      const body = { document: this.ids.toBody(document), base_version: this.flow.baseVersion };
      const response = await saveDraft(this.flow, body);
      this.ids.addStored(document, response.data.document);
      this.flow = { ...this.flow, etag: response.etag };
      this.saved = document;
      this.changes -= changes;
      this.savedAt = new Date();
      this.setState({ kind: "saved", at: this.savedAt });
      if (this.document !== document) {
        this.setState({ kind: "saving" });
        this.schedule(PAUSE_MILLISECONDS);
      }
    } catch (error) {
      await this.handleError(error);
    }
  }

  private async handleError(error: unknown): Promise<void> {
    if (error instanceof ApiError && error.status === 412) {
      try {
        this.setState({ kind: "conflict", theirs: await fetchEdited(this.flowId) });
        return;
      } catch {
        // The next attempt finds the conflict again.
      }
    }
    if (isTransient(error)) {
      this.setState({ kind: "waiting", changes: this.changes });
      this.schedule(RETRY_MILLISECONDS);
    } else {
      this.setState({ kind: "failed", error, details: error instanceof ApiError ? error.details : [] });
    }
  }

  private setState(state: SaveState): void {
    this.state = state;
    for (const listener of this.listeners) {
      listener();
    }
  }
}

const clock = new Intl.DateTimeFormat("en", { timeStyle: "short", hourCycle: "h23" });

/** Return the state of saving in words. */
export function saveStateInWords(state: SaveState, hasDraft: boolean): string {
  const words = texts.editor.save;
  switch (state.kind) {
    case "saved":
      return state.at === null ? (hasDraft ? words.unpublished : words.unchanged) : words.saved(clock.format(state.at));
    case "saving":
      return words.saving;
    case "waiting":
      return words.waiting(state.changes);
    case "failed":
      return words.failed;
    case "conflict":
      return words.conflict;
  }
}
