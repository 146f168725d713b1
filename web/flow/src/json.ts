/** Readers of values that may have any shape, because the content of a screen is free. */

export type Json = Record<string, unknown>;

/** Return an own member of a map: `constructor` and the like are none. iOS 14 has no `Object.hasOwn`. */
export function memberOf<Value>(map: Record<string, Value>, name: string): Value | undefined {
  return Object.getOwnPropertyDescriptor(map, name)?.value as Value | undefined;
}

/** Return an object, or an empty one for everything else. */
export function object(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

/** Return a list, or an empty one for everything else. */
export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Return the first text or number as trimmed text, or an empty text. */
export function text(...values: unknown[]): string {
  for (const value of values) {
    if (typeof value === "string" && value.trim()) {
      return value.trim();
    }
    if (typeof value === "number" && Number.isFinite(value)) {
      return String(value);
    }
  }
  return "";
}

/** Return the first number, or undefined. */
export function number(...values: unknown[]): number | undefined {
  for (const value of values) {
    const parsed = typeof value === "string" && value.trim() ? Number(value) : value;
    if (typeof parsed === "number" && Number.isFinite(parsed)) {
      return parsed;
    }
  }
  return undefined;
}
