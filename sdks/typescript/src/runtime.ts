/** What the runtime has: time, storage, tabs and the events of a browser. All of it may be missing. */

import type { Lock } from "./queue";
import { localStorageAdapter, memoryStorage } from "./storage";
import type { Clock, Storage } from "./types";

interface Target {
  addEventListener?(type: string, listener: () => void): void;
  removeEventListener?(type: string, listener: () => void): void;
}

interface Runtime extends Target {
  document?: Target & { visibilityState?: string };
  navigator?: { locks?: { request(name: string, options: object, run: () => unknown): Promise<unknown> } };
  localStorage?: unknown;
}

const LOCK_MS = 10_000;
const runtime = () => globalThis as unknown as Runtime;

/** Return the clock of the runtime. Its timers do not keep a process alive. */
export function systemClock(now: () => number = Date.now): Clock {
  return {
    now,
    after(milliseconds, run) {
      const timer = setTimeout(run, milliseconds);
      (timer as unknown as { unref?: () => void }).unref?.();
      return () => clearTimeout(timer);
    },
  };
}

/** Return the storage of the runtime: that of a browser, else one that ends with the process. */
export function openStorage(): Storage {
  try {
    return runtime().localStorage ? localStorageAdapter() : memoryStorage();
  } catch {
    return memoryStorage();
  }
}

/**
 * Return a lock that the tabs of a browser share. A tab that holds it for too long is not waited for, and without Web Locks
 * two tabs may send an event at the same time: it has an id, so it counts once.
 */
export function tabLock(name: string, clock: Clock): Lock {
  return (run) => {
    const { document, navigator } = runtime();
    if (!document || !navigator?.locks) {
      return run();
    }
    const controller = new AbortController();
    const cancel = clock.after(LOCK_MS, () => controller.abort());
    let running: Promise<boolean> | null = null;
    const start = () => {
      cancel();
      running ??= run();
      return running;
    };
    return navigator.locks.request(name, { signal: controller.signal }, start).then(start, start);
  };
}

/** Call back when the page is hidden or ends, and when the browser is online again. Return a function that ends it. */
export function followBrowser({ hidden, online }: { hidden: () => void; online: () => void }): () => void {
  const { document } = runtime();
  if (!document?.addEventListener) {
    return () => {};
  }
  const changed = () => document.visibilityState === "hidden" && hidden();
  const followed: [Target, string, () => void][] = [
    [document, "visibilitychange", changed],
    [runtime(), "pagehide", hidden],
    [runtime(), "online", online],
  ];
  for (const [target, type, listener] of followed) {
    target.addEventListener?.(type, listener);
  }
  return () => {
    for (const [target, type, listener] of followed) {
      target.removeEventListener?.(type, listener);
    }
  };
}
