import { isSignedOut, KEPT_DRAFTS, keysOf } from "@/ui/form/keptKeys";

/** Unsaved changes: the document, the last one that the service had, and those that were sent since then. */
export interface KeptDraft<Document> {
  document: Document;
  base: Document;
  own: readonly Document[];
}

/**
 * Keeps unsaved drafts in localStorage, so that they survive the end of the tab. Each editor of a page load has an
 * entry of its own, and a lock of that name, which the browser frees when the page ends. The next editor of the
 * takes over the entries without a lock.
 */
export class KeptDrafts<Document> {
  /** False after the browser had no room; then a page must not end without a question. */
  isKept = true;
  readonly key: string;

  /** `open` has the keys of the editors that are open, in all tabs. */
  constructor(
    private readonly prefix: string,
    private readonly store: Storage,
    private readonly open: ReadonlySet<string> = new Set(),
  ) {
    this.key = prefix + crypto.getRandomValues(new Uint32Array(2)).join("-");
  }

  /** Keep a draft; null: the service has everything. */
  write(draft: KeptDraft<Document> | null): void {
    try {
      if (draft === null || isSignedOut()) {
        this.store.removeItem(this.key);
      } else {
        this.store.setItem(this.key, JSON.stringify({ at: Date.now(), ...draft }));
      }
      this.isKept = true;
    } catch {
      this.isKept = false;
    }
  }

  /** Return the drafts of editors that are closed, the newest first, and remove their entries. */
  takeAll(): KeptDraft<Document>[] {
    const found = keysOf(this.store, this.prefix).flatMap((key) => {
      const text = this.open.has(key) ? null : this.store.getItem(key);
      if (text === null) {
        return [];
      }
      this.store.removeItem(key);
      return [JSON.parse(text) as KeptDraft<Document> & { at: number }];
    });
    return found.sort((first, second) => second.at - first.at);
  }
}

/** Return the kept drafts of a user for a flow or a theme, with a lock for the time of this page. */
export async function openKeptDrafts<Document>(user: string, id: string): Promise<KeptDrafts<Document>> {
  // Only pages of secure contexts have locks. Without them the entries of open tabs are taken over, too.
  const locks = navigator.locks as LockManager | undefined;
  const held = (await locks?.query())?.held ?? [];
  const kept = new KeptDrafts<Document>(
    `${KEPT_DRAFTS}${user}:${id}:`,
    localStorage,
    new Set(held.map(({ name = "" }) => name)),
  );
  void locks?.request(kept.key, () => new Promise(() => undefined));
  return kept;
}
