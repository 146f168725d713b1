/**
 * The draft of a flow or a theme while it is edited: the document, its history, what the service has, saving, conflicts,
 * and the copy that this browser keeps of unsaved changes.
 *
 *   change, undo, redo ──▶ document ──▶ kept copy (localStorage), until the service has it
 *                             │ after a pause, one request at a time
 *                             ▼
 *                          service ──▶ stored: the last document that both sides have
 *                             │ 412, or another tab: read, and merge what does not overlap
 *                             ▼
 *                          conflict: another person changed the same place; the user chooses
 */

import { ApiError, isTransient } from "@/api/errors";
import type { ErrorDetail } from "@/api/schema";
import type { FlowDocument } from "../document";
import type { Edited, EditedFlow } from "../queries";
import { DraftHistory } from "./draftHistory";
import type { DraftServer } from "./draftServer";
import type { KeptDrafts } from "./keptDrafts";
import { isSame, type Merge, type Merger, type Side } from "./merge";

export type SaveState<Document, Read> =
  | { kind: "saved"; at: Date | null }
  | { kind: "saving" }
  | { kind: "waiting"; changes: number }
  | { kind: "failed"; error: unknown; details: readonly ErrorDetail[]; document: Document }
  | { kind: "conflict"; theirs: Read };

/** Kept changes came back, or changes of another person or tab were taken in. */
export type Notice = { kind: "restored" } | { kind: "merged"; by: string | null; replaced: boolean };

interface DraftStoreOptions<Document, Read> {
  server: DraftServer<Document, Read>;
  merge: Merger<Document>;
  /** The id of the user. */
  user: string;
  kept: KeptDrafts<Document>;
  onNotice?: (notice: Notice) => void;
}

const PAUSE_MILLISECONDS = 700;
const RETRY_MILLISECONDS = 5000;
/** After so many drafts that were changed meanwhile, one after the other, saving pauses. */
const MAX_REJECTED = 5;
const MAX_OWN = 5;

export class DraftStore<Document, Read extends Edited<Document>> {
  document: Document;
  /** What the service has, as far as it is known. Its document is the base of merges. */
  stored: Read;
  state: SaveState<Document, Read> = { kind: "saved", at: null };
  /** Increases with each change of the store, so that views know of it. */
  revision = 0;
  private history = new DraftHistory<Document>();
  /** Documents that were sent since `stored`, and may have arrived. */
  private own: readonly Document[] = [];
  private baseVersion: number;
  private changes = 0;
  private savedAt: Date | null = null;
  private readAt = Date.now();
  private mustRead = false;
  private isUrgent = false;
  private isLast = false;
  private running: Promise<boolean> | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly listeners = new Set<() => void>();
  private readonly server: DraftServer<Document, Read>;
  private readonly merge: Merger<Document>;
  private readonly user: string;
  private readonly kept: KeptDrafts<Document>;
  private readonly onNotice: (notice: Notice) => void;

  constructor(
    read: Read,
    { server, merge, user, kept, onNotice = () => undefined }: DraftStoreOptions<Document, Read>,
  ) {
    this.server = server;
    this.merge = merge;
    this.user = user;
    this.kept = kept;
    this.onNotice = onNotice;
    this.stored = read;
    this.document = read.document;
    this.baseVersion = read.baseVersion;
    this.restore(read);
  }

  subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  get canUndo(): boolean {
    return this.history.canUndo;
  }

  get canRedo(): boolean {
    return this.history.canRedo;
  }

  /** Whether the service has a draft. */
  get hasDraft(): boolean {
    return this.stored.etag !== null;
  }

  /** Whether the service does not have the document yet. */
  get isDirty(): boolean {
    return this.document !== this.stored.document || this.baseVersion !== this.stored.baseVersion;
  }

  /** Whether unsaved changes would be lost, or wait for the user to come back, if the page ended now. */
  get isAtRisk(): boolean {
    const isSignedOut = this.state.kind === "failed" && (this.state.error as ApiError).status === 401;
    return this.isDirty && (!this.kept.isKept || (!isSignedOut && this.state.kind !== "saving"));
  }

  /** Change the document; changes of one `field` in quick succession are one step of the history. */
  change(document: Document, field?: string): void {
    if (document !== this.document) {
      this.history.add(this.document, field);
      this.edit(document);
    }
  }

  undo(): void {
    this.edit(this.history.undo(this.document));
  }

  redo(): void {
    this.edit(this.history.redo(this.document));
  }

  /** Save at once, with the changes that are made meanwhile. Return whether the service has the document. */
  flush(): Promise<boolean> {
    this.isUrgent = true;
    return this.run();
  }

  /** Read what the service has, unless that was done `within` these milliseconds, and merge it. */
  refresh(within = 0): Promise<boolean> {
    this.mustRead = this.mustRead || Date.now() - this.readAt >= within;
    return this.run();
  }

  /** Send what is unsaved while the page ends: the request outlives the page if no other one is under way. */
  leave(): void {
    this.isLast = true;
    void this.flush();
  }

  /** Resolve a conflict: `prefer` wins where both sides changed the same place. Undo brings the other side back. */
  resolve(prefer: Side): Promise<boolean> {
    if (this.state.kind === "conflict") {
      const { theirs } = this.state;
      this.take(theirs, this.mergeWith(theirs, prefer), prefer);
    }
    return this.flush();
  }

  /** Save the draft on the live version, so that it can be published over it. */
  rebase(liveVersion: number): Promise<boolean> {
    this.baseVersion = liveVersion;
    return this.flush();
  }

  /** Start again with what the service has, after the draft was discarded; nothing is merged. */
  async restart(): Promise<void> {
    await this.running;
    const read = await this.server.read();
    this.stored = read;
    this.document = read.document;
    this.baseVersion = read.baseVersion;
    this.history = new DraftHistory<Document>();
    this.own = [];
    this.finish();
  }

  private edit(document: Document | undefined): void {
    if (document === undefined) {
      return;
    }
    this.document = document;
    this.changes += 1;
    this.keep();
    if (!this.isDirty && this.running === null && this.state.kind !== "conflict") {
      this.finish();
      return;
    }
    if (this.state.kind !== "conflict") {
      this.set(this.state.kind === "waiting" ? { kind: "waiting", changes: this.changes } : { kind: "saving" });
    } else {
      this.notify();
    }
    this.schedule(PAUSE_MILLISECONDS);
  }

  private run(): Promise<boolean> {
    clearTimeout(this.timer);
    // A microtask later, so that `running` is set while it runs.
    this.running ??= Promise.resolve().then(() => this.drain());
    return this.running;
  }

  /** Read and save until nothing is left to do, one request at a time. Return whether the service has the document. */
  private async drain(): Promise<boolean> {
    let rejected = 0;
    try {
      while (this.mustRead || (this.isDirty && this.state.kind !== "conflict")) {
        if (this.mustRead) {
          const theirs = await this.server.read();
          this.mustRead = false;
          this.readAt = Date.now();
          this.receive(theirs);
        } else if (await this.send()) {
          rejected = 0;
          if (this.isDirty && !this.isUrgent) {
            break;
          }
        } else {
          rejected += 1;
          this.mustRead = true;
        }
        if (rejected > MAX_REJECTED) {
          break;
        }
      }
      this.settle(rejected > MAX_REJECTED ? RETRY_MILLISECONDS : PAUSE_MILLISECONDS);
    } catch (error) {
      this.fail(error);
    }
    this.running = null;
    this.isUrgent = false;
    this.isLast = false;
    return !this.isDirty;
  }

  /** Send the document. Return false if the service has another draft than `stored`. */
  private async send(): Promise<boolean> {
    const { document, stored, baseVersion, changes } = this;
    if (this.own.at(-1) !== document) {
      this.own = [...this.own, document].slice(-MAX_OWN);
    }
    this.keep();
    this.set({ kind: "saving" });
    try {
      const body = { document: document, base_version: baseVersion };
      const { data, etag } = await this.server.save(stored, body, this.isLast);
      const { live_version: liveVersion, updated_by: savedBy, updated_at: savedAt } = data;
      this.stored = { ...this.stored, document, etag, baseVersion, liveVersion, savedBy, savedAt };
      // The service may write a value in another form, which is no change of another person.
      this.own = [data.document];
      this.changes -= changes;
      this.savedAt = new Date();
      this.keep();
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.status === 412) {
        return false;
      }
      throw error;
    }
  }

  /** Take in what the service has; a conflict if another person changed the same place. */
  private receive(theirs: Read): void {
    const { stored } = this;
    if (theirs.etag === stored.etag && theirs.liveVersion === stored.liveVersion) {
      this.stored = { ...theirs, document: stored.document };
      return;
    }
    const merged = this.mergeWith(theirs, "mine");
    const isOwn = theirs.savedBy === this.user;
    if (merged.overlaps.length > 0 && !isOwn) {
      this.set({ kind: "conflict", theirs });
      return;
    }
    const isNews = merged.overlaps.length > 0 || !isSame(merged.document, this.document);
    this.take(theirs, merged, "mine");
    if (isNews) {
      this.onNotice({ kind: "merged", by: theirs.savedBy, replaced: merged.overlaps.length > 0 });
    }
  }

  /** Go on from what the service has. The steps of the history get the changes of the other side, too. */
  private take(theirs: Read, { document, overlaps }: Merge<Document>, prefer: Side): void {
    const other = this.mergeWith(theirs, prefer === "mine" ? "theirs" : "mine").document;
    const moved = (step: Document) => this.merge(this.stored.document, step, theirs.document, this.own).document;
    this.history.rewrite(moved, overlaps.length > 0 ? other : undefined);
    this.document = document;
    this.stored = theirs;
    this.baseVersion = theirs.baseVersion;
    this.own = [];
    this.keep();
    this.set({ kind: "saving" });
  }

  private mergeWith(theirs: Read, prefer: Side): Merge<Document> {
    return this.merge(this.stored.document, this.document, theirs.document, this.own, prefer);
  }

  /** Take in the changes that this user made in this browser and that did not reach the service, as far as it is known. */
  private restore(read: Read): void {
    const [newest, ...older] = this.kept.takeAll();
    if (newest === undefined) {
      return;
    }
    this.stored = { ...read, document: newest.base, etag: "kept" };
    this.own = newest.own;
    this.document = older.reduce(
      (document, kept) => this.merge(kept.base, document, kept.document, kept.own).document,
      newest.document,
    );
    this.changes = 1;
    this.receive(read);
    this.keep();
    if (this.isDirty) {
      this.onNotice({ kind: "restored" });
    }
    if (this.state.kind !== "conflict") {
      this.settle(0);
    }
  }

  private settle(pause: number): void {
    if (this.state.kind === "conflict") {
      return;
    }
    if (!this.isDirty) {
      this.finish();
      return;
    }
    this.set({ kind: "saving" });
    this.schedule(pause);
  }

  /** The service has everything. */
  private finish(): void {
    clearTimeout(this.timer);
    this.changes = 0;
    this.keep();
    this.set({ kind: "saved", at: this.savedAt });
  }

  private fail(error: unknown): void {
    this.mustRead = false;
    if (!this.isDirty) {
      // Only a refresh has failed, or the changes were undone meanwhile.
      this.finish();
    } else if (this.state.kind === "conflict") {
      this.notify();
    } else if (isTransient(error)) {
      // The request may have arrived.
      this.mustRead = true;
      this.set({ kind: "waiting", changes: this.changes });
      this.schedule(RETRY_MILLISECONDS);
    } else {
      const details = error instanceof ApiError ? error.details : [];
      this.set({ kind: "failed", error, details, document: this.own.at(-1) ?? this.document });
    }
  }

  private keep(): void {
    this.kept.write(this.isDirty ? { document: this.document, base: this.stored.document, own: this.own } : null);
  }

  private schedule(milliseconds: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.run(), milliseconds);
  }

  private set(state: SaveState<Document, Read>): void {
    this.state = state;
    this.notify();
  }

  private notify(): void {
    this.revision += 1;
    for (const listener of this.listeners) {
      listener();
    }
  }
}

/** The draft of a flow. */
export type FlowDraftStore = DraftStore<FlowDocument, EditedFlow>;
