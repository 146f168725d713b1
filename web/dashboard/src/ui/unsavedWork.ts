import { useEffect, useState } from "react";

/**
 * Unsaved work survives whatever unloads the page: signing in again, a new release, a reload. A view writes it to
 * sessionStorage as it changes, so that no way of leaving the page has to be caught.
 */
const PREFIX = "unsaved:";

/** Keep the unsaved work of a view under a key; `null` means that the service has all of it. */
export function useUnsavedWork(key: string, work: unknown): void {
  useEffect(() => {
    if (work === null) {
      dropUnsavedWork(key);
    } else {
      sessionStorage.setItem(PREFIX + key, JSON.stringify(work));
    }
  }, [key, work]);
}

/** Forget the unsaved work under a key: it has been saved or discarded. */
export function dropUnsavedWork(key: string): void {
  sessionStorage.removeItem(PREFIX + key);
}

/** Return the work that was kept under the key when the view was mounted, or null. The view starts from it. */
export function useKeptWork<Work>(key: string): Work | null {
  const [kept] = useState(() => {
    const text = sessionStorage.getItem(PREFIX + key);
    return text === null ? null : (JSON.parse(text) as Work);
  });
  return kept;
}
