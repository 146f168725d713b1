/** The steps of a document that can be undone and redone. */

/** Changes of one field within this time are one step. */
const TOGETHER_MILLISECONDS = 1500;
const MAX_STEPS = 200;

export class DraftHistory<Document> {
  private past: readonly Document[] = [];
  private future: readonly Document[] = [];
  private last: { field: string; at: number } | null = null;

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  /** Add the document `before` a change; changes of one `field` in quick succession are one step. */
  add(before: Document, field?: string): void {
    const at = Date.now();
    const continues = field !== undefined && this.last?.field === field && at - this.last.at < TOGETHER_MILLISECONDS;
    this.set(continues ? this.past : [...this.past, before], []);
    this.last = field === undefined ? null : { field, at };
  }

  /** Return the document before the last step; undefined without one. */
  undo(present: Document): Document | undefined {
    const before = this.past.at(-1);
    if (before) {
      this.set(this.past.slice(0, -1), [present, ...this.future]);
    }
    return before;
  }

  /** Return the document after the step that was undone last; undefined without one. */
  redo(present: Document): Document | undefined {
    const [after, ...rest] = this.future;
    if (after) {
      this.set([...this.past, present], rest);
    }
    return after;
  }

  /** Change every document. `newest` becomes the one that the next undo returns. */
  rewrite(change: (document: Document) => Document, newest?: Document): void {
    this.set([...this.past.map(change), ...(newest ? [newest] : [])], this.future.map(change));
  }

  private set(past: readonly Document[], future: readonly Document[]): void {
    this.past = past.slice(-MAX_STEPS);
    this.future = future;
    this.last = null;
  }
}
