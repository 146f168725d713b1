/** The keys of kept drafts in localStorage begin with it (`features/editor/keptDrafts.ts`). */
export const KEPT_DRAFTS = "draft:";
let signedOut = false;

/** Remove the kept drafts of all users, and keep no others: the user signs out of this browser. */
export function dropKeptDrafts(): void {
  signedOut = true;
  for (const key of keysOf(localStorage, KEPT_DRAFTS)) {
    localStorage.removeItem(key);
  }
}

/** Whether the user has signed out since the page was loaded. */
export const isSignedOut = () => signedOut;

/** Return the keys of a storage that begin with a text. */
export function keysOf(store: Storage, prefix: string): string[] {
  const keys = Array.from({ length: store.length }, (_, place) => store.key(place) ?? "");
  return keys.filter((key) => key.startsWith(prefix));
}
