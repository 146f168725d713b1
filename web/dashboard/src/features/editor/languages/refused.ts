/** Translations that the service keeps where they stand, and does not take in a screen that comes back. */

import type { ErrorDetail } from "@/api/schema";
import type { FlowDocument } from "../document";

const REFUSED = /^document\.screens\.(\d+)\.localizations\.([^.]+)\.(.*)$/s;

/**
 * Return the document without the translations that the service has refused, or null if it has refused anything else.
 * Undo brings a deleted screen back with translations whose text or language is gone. Screens of `stored` are not such.
 */
export function withoutRefused(
  document: FlowDocument,
  details: readonly ErrorDetail[],
  stored: FlowDocument,
): FlowDocument | null {
  const copy = structuredClone(document);
  const known = new Set(stored.screens.map(({ id }) => id));
  for (const { field } of details) {
    const [, place, locale = "", pointer = ""] = REFUSED.exec(field ?? "") ?? [];
    const screen = copy.screens[Number(place)];
    const texts = screen?.localizations?.[locale];
    if (!screen || known.has(screen.id) || !texts || !(pointer in texts)) {
      return null;
    }
    delete texts[pointer];
  }
  return details.length > 0 ? copy : null;
}
