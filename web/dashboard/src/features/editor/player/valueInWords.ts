import { playerTexts as words } from "./texts";

/** Return the value of an answer or a variable as people read it. */
export function valueInWords(value: unknown): string {
  return value === undefined ? words.missing : Array.isArray(value) ? value.join(", ") : String(value);
}
