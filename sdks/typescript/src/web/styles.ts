/** The style sheets of the hosted pages, for a shadow root. */

import base from "@onboarding/pages/styles/base.css?inline";
import content from "@onboarding/pages/styles/content.css?inline";
import controls from "@onboarding/pages/styles/controls.css?inline";
import layouts from "@onboarding/pages/styles/layouts.css?inline";
import looks from "@onboarding/pages/styles/looks.css?inline";

/**
 * The page of a flow is the host element. Contents that are fixed on a page are fixed in it, so it is their containing block,
 * and its child scrolls.
 */
const HOST = `
:host { all: initial; display: block; position: relative; contain: layout; overflow: hidden; height: 100%; --page-height: 100% }
.scroller { height: 100%; overflow: hidden auto }
.app { min-height: 100% }
@media (max-width: 639.98px), (max-height: 699.98px) {
  .app { display: flex; flex-direction: column }
  .app > .frame { flex: 1 0 auto; width: 100% }
}
.failure { margin: auto; padding: 24px; text-align: center }
`;
const STYLES = [base, content, controls, layouts, looks, HOST];

let sheets: CSSStyleSheet[] | null = null;

/** Add the styles to a shadow root: sheets that all roots share, which any content security policy allows. */
export function addStyles(root: ShadowRoot, more: readonly string[]): void {
  if ("adoptedStyleSheets" in root) {
    sheets ??= STYLES.map(sheetOf);
    root.adoptedStyleSheets = [...sheets, ...more.map(sheetOf)];
    return;
  }
  const element = document.createElement("style");
  element.textContent = [...STYLES, ...more].join("\n");
  (root as ShadowRoot).append(element);
}

/** Add rules for fonts to the document, because those of a shadow root are ignored. Return a function that removes them. */
export function addFontRules(rules: readonly string[]): () => void {
  if (rules.length === 0 || !("adoptedStyleSheets" in document)) {
    return () => {};
  }
  const sheet = sheetOf(rules.join("\n"));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
  };
}

function sheetOf(styles: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  return sheet;
}
