/** The script of an error page: the app shows the web view, and the button of the page closes it. */

import { number } from "@onboarding/flow/json";
import { themeStyle, themeVariables } from "@onboarding/flow/theme";
import { Bridge } from "./bridge";
import { h } from "./dom";
import { applyLocale } from "./locale";
import { WORDS } from "./words";

const MAX_RELOADS = 5;
const RELOAD_MS = 2_000;

/** Apply the locale and the default theme, connect the button, and report the page to the app. */
export function startErrorPage(): void {
  const bridge = new Bridge();
  for (const button of document.querySelectorAll("[data-action=close]")) {
    button.addEventListener("click", () => {
      bridge.close();
      if (!bridge.isPresent) {
        history.back();
      }
    });
  }
  bridge.loaded();
  // The edge has chosen the language of its texts.
  if (!document.documentElement.dir) {
    applyLocale(new URLSearchParams(location.search).get("locale"));
  }
  const variables = themeVariables({}, "", window.matchMedia("(prefers-color-scheme: dark)").matches);
  const page = document.getElementById("error");
  for (const [name, value] of Object.entries(variables)) {
    page?.style.setProperty(name, value);
  }
  bridge.sendThemeStyle(themeStyle(variables));
  reloadSoon();
}

/** Show an error in place of a flow that cannot be shown. */
export function showError(root: HTMLElement): void {
  const close = h("button", { type: "button", "data-action": "close" }, WORDS.close);
  const texts = [h("h1", {}, WORDS.failed), h("p", { role: "alert" }, WORDS.failedText), h("p", {}, close)];
  document.body.insertBefore(h("main", { id: "error" }, ...texts), root);
  root.remove();
  startErrorPage();
}

/** Load a page again that is not published yet, some times. The count is in the history, so that it survives. */
function reloadSoon(): void {
  const reloads = number((history.state as { reloads?: unknown } | null)?.reloads) ?? 0;
  if (document.body.dataset.error === "503" && reloads < MAX_RELOADS) {
    history.replaceState({ reloads: reloads + 1 }, "");
    window.setTimeout(() => location.reload(), RELOAD_MS);
  }
}
