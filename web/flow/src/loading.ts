/** The steps of a screen that ticks them by itself, and goes on. */

import { textOf } from "./content";
import { NAMES } from "./contents";
import { type Json, list, number, object, text } from "./json";

const MAX_SECONDS = 30;
const STANDARD_SECONDS = 4;

/** Return the labels of the steps; those without one are left out. */
export function steps(content: Json): string[] {
  return list(content.steps)
    .map((entry) => text(entry, textOf(object(entry), NAMES.step.label)))
    .filter(Boolean);
}

/** Return how long a screen loads. */
export function seconds(content: Json): number {
  return Math.min(MAX_SECONDS, Math.max(1, number(content.seconds) ?? STANDARD_SECONDS));
}
