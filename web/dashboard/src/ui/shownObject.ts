import { useSyncExternalStore } from "react";

/** The name of the object that the view shows; empty until the view knows it. */
let shown = "";
const listeners = new Set<() => void>();

function change(name: string): void {
  shown = name;
  for (const listener of listeners) {
    listener();
  }
}

/** Say which object a view shows. Return a function for the end of the view. */
export function showObject(name: string): () => void {
  change(name);
  return () => change("");
}

/** Return the name of the object that the view shows. */
export function useShownObject(): string {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
}
