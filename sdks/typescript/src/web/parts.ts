/** The parts that only some flows need: scripts of the hosted pages, their style sheets, illustrations. */

import { readDocument } from "@onboarding/flow/document";
import { addIllustration } from "@onboarding/pages/illustrations";
import { loadParts, type Parts } from "@onboarding/pages/parts";
import { preloadPictures } from "@onboarding/pages/preload";
import { Stage } from "@onboarding/pages/stage";
import { useWords } from "@onboarding/pages/words";
import type { Flow, Resolution } from "../types";
import { picturesIn } from "./pictures";
import { wordsOf } from "./words";

export interface LoadedParts extends Pick<Parts, "screens" | "times"> {
  styles: readonly string[];
  illustrations: Record<string, string>;
  sanitize: ((html: string) => string) | null;
}

/** Load the parts of a flow. Rejected where one cannot be loaded. */
export async function partsOf(flow: Flow): Promise<LoadedParts> {
  const document = readDocument({ screens: flow.screens }, true);
  const contents = JSON.stringify(flow.screens);
  const hasPictures = /"(image|image_url|illustration)"/.test(contents);
  const [{ screens, times }, styles, drawings, pictures, html, words] = await Promise.all([
    loadParts(document, false),
    import("./partStyles"),
    hasPictures ? import("./illustrations") : null,
    hasPictures ? picturesIn(contents) : null,
    document.screens.some(({ type }) => type === "custom") ? import("@onboarding/pages/sanitize") : null,
    wordsOf(flow.locale ?? ""),
  ]);
  useWords(words);
  const illustrations: Record<string, string> = {};
  for (const [name, drawing] of Object.entries({ ...drawings?.ILLUSTRATIONS, ...pictures })) {
    illustrations[name] = `doorstep:${name}`;
    addIllustration(`doorstep:${name}`, drawing);
  }
  return { screens, times, illustrations, styles: styles.PART_STYLES, sanitize: html?.sanitizeHtml ?? null };
}

/** Load what a flow is drawn with, before it is shown. Never rejected. */
export async function warm({ flow }: Resolution): Promise<void> {
  try {
    if (flow) {
      const { illustrations } = await partsOf(flow);
      const drawn = { ...readDocument(flow), illustrations };
      const { matches } = window.matchMedia("(prefers-color-scheme: dark)");
      preloadPictures(new Stage(document.createElement("div"), drawn, () => matches, window), null);
    }
  } catch {
    // It is loaded again when the flow is shown.
  }
}
