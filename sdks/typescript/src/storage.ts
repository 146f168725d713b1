/** Storages of each runtime, as the SDK uses them. */

import type { Storage } from "./types";

/** Return a storage that ends with the process. */
export function memoryStorage(): Storage {
  const values = new Map<string, string>();
  return {
    get: (key) => values.get(key),
    set: (key, value) => void values.set(key, value),
    remove: (key) => void values.delete(key),
  };
}

interface WebStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** Return the storage of a browser. Where the browser refuses it, each call fails, and the SDK goes on in memory. */
export function localStorageAdapter(
  open: () => WebStorage = () => (globalThis as unknown as { localStorage: WebStorage }).localStorage,
): Storage {
  return {
    get: (key) => open().getItem(key),
    set: (key, value) => open().setItem(key, value),
    remove: (key) => open().removeItem(key),
  };
}

interface AsyncStorageLike {
  getItem(key: string): Promise<string | null>;
  setItem(key: string, value: string): Promise<void>;
  removeItem(key: string): Promise<void>;
}

/** Return a storage on `@react-native-async-storage/async-storage`. */
export function asyncStorage(storage: AsyncStorageLike): Storage {
  return {
    get: (key) => storage.getItem(key),
    set: (key, value) => storage.setItem(key, value),
    remove: (key) => storage.removeItem(key),
  };
}

interface MmkvLike {
  getString(key: string): string | undefined;
  set(key: string, value: string): void;
  delete?(key: string): void;
  remove?(key: string): boolean;
}

/** Return a storage on an instance of `react-native-mmkv`, of version 3 or 4. */
export function mmkv(instance: MmkvLike): Storage {
  return {
    get: (key) => instance.getString(key),
    set: (key, value) => instance.set(key, value),
    remove: (key) => void (instance.remove ? instance.remove(key) : instance.delete?.(key)),
  };
}
