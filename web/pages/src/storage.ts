/**
 * Storage of the browser. Where it is missing, full or forbidden, values are kept in memory for as long as the page.
 */

export interface TextStore {
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
}

/** Return a store that never fails. `find` returns the storage, and may throw. */
export function openStore(find: () => Storage | null): TextStore {
  const memory = new Map<string, string>();
  const attempt = <Result>(action: (storage: Storage) => Result): Result | null => {
    try {
      const storage = find();
      return storage ? action(storage) : null;
    } catch {
      return null;
    }
  };
  return {
    get: (key) => memory.get(key) ?? attempt((storage) => storage.getItem(key)),
    set: (key, value) => {
      memory.delete(key);
      const stored = attempt((storage) => {
        storage.setItem(key, value);
        return true;
      });
      if (!stored) {
        memory.set(key, value);
      }
    },
    remove: (key) => {
      memory.delete(key);
      attempt((storage) => storage.removeItem(key));
    },
  };
}

/** Return the parsed value of a key, or the fallback for a missing or malformed one. */
export function readJson<Value>(store: TextStore, key: string, fallback: Value): Value {
  try {
    return (JSON.parse(store.get(key) ?? "null") as Value | null) ?? fallback;
  } catch {
    return fallback;
  }
}

/** Return a random UUID, also where the page has no https and `randomUUID` is missing. */
export function randomId(): string {
  if (typeof crypto.randomUUID === "function") {
    return crypto.randomUUID();
  }
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 15) | 64;
  bytes[8] = ((bytes[8] ?? 0) & 63) | 128;
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
