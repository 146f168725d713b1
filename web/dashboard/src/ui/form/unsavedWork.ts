/**
 * Unsaved work survives signing in again, a new release and a reload. A view writes it to sessionStorage as it changes,
 * so that no handler has to run when the page unloads.
 */

import { useEffect, useState } from "react";
import { UNSAVED_WORK as PREFIX } from "./keptKeys";

/** Keep the unsaved work of a view under a key; null drops it, because the service has everything. */
export function useUnsavedWork(key: string, work: unknown): void {
  useEffect(() => {
    if (work === null) {
      dropUnsavedWork(key);
    } else {
      try {
        sessionStorage.setItem(PREFIX + key, JSON.stringify(work));
      } catch {
        // The browser has no room: the view works on, and keeps nothing.
      }
    }
  }, [key, work]);
}

/** Drop the unsaved work under a key after it was saved or discarded. */
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

/** Return a text that a user types, with its setter. Unless it is `initial`, it survives as unsaved work does. */
export function useKeptText(key: string, initial = ""): [text: string, setText: (text: string) => void] {
  const kept = useKeptWork<string>(key);
  const [text, setText] = useState(kept ?? initial);
  useUnsavedWork(key, text === initial ? null : text);
  return [text, setText];
}
