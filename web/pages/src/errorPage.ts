/** The script of an error page: the app shows the web view, and the button of the page closes it. */

import { Bridge } from "./bridge";
import { applyLocale } from "./locale";
import { themeStyle, themeVariables } from "./theme";

/** Apply the locale and the default theme, connect the button, and report the page to the app. */
export function startErrorPage(): void {
  applyLocale(new URLSearchParams(location.search).get("locale"));
  const variables = themeVariables({}, "", window.matchMedia("(prefers-color-scheme: dark)").matches);
  const page = document.getElementById("error");
  for (const [name, value] of Object.entries(variables)) {
    page?.style.setProperty(name, value);
  }
  const bridge = new Bridge();
  for (const button of document.querySelectorAll("[data-action=close]")) {
    button.addEventListener("click", () => {
      bridge.close("", []);
      if (!bridge.isPresent) {
        history.back();
      }
    });
  }
  bridge.loaded();
  bridge.sendThemeStyle(themeStyle(variables));
}
