/** The page of an error, which the service made: the web view is to be seen, and its button closes it. */

import { Bridge } from "./bridge";
import { applyLocale } from "./locale";
import { themeStyle, themeVariables } from "./theme";

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
  bridge.themeStyle(themeStyle(variables));
}
