/** The keys of kept drafts in localStorage begin with it (`features/editor/keptDrafts.ts`). */
export const KEPT_DRAFTS = "draft:";
/** The keys of unsaved work in sessionStorage begin with it (`unsavedWork.ts`). */
export const UNSAVED_WORK = "unsaved:";
let signedOut = false;

/** Remove the kept drafts of all users and the unsaved work of this tab, and keep no others: the user signs out. */
export function dropKeptWork(): void {
  signedOut = true;
  const kept = { [KEPT_DRAFTS]: localStorage, [UNSAVED_WORK]: sessionStorage };
  for (const [prefix, store] of Object.entries(kept)) {
    for (const key of keysOf(store, prefix)) {
      store.removeItem(key);
    }
  }
}

/** Whether the user has signed out since the page was loaded. */
export const isSignedOut = () => signedOut;

/** Return the keys of a storage that begin with a text. */
export function keysOf(store: Storage, prefix: string): string[] {
  const keys = Array.from({ length: store.length }, (_, place) => store.key(place) ?? "");
  return keys.filter((key) => key.startsWith(prefix));
}
