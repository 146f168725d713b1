/** The script of the hosted pages: a flow, the preview of the dashboard, or an error. */

import "./styles/base.css";
import "./styles/content.css";
import "./styles/controls.css";
import "./styles/layouts.css";
import "./styles/looks.css";
import { showError, startErrorPage } from "./errorPage";
import { startFlow } from "./live";
import { arrived } from "./parts";
import { loadedWords, useWords } from "./words";
// Several parts share it: a script of its own would arrive after them.
import "./visibleTime";

// The fallback shows an error if this script cannot be loaded, or comes late.
document.documentElement.setAttribute("data-started", "");
document.querySelector(".fallback")?.remove();

useWords(Object.values(loadedWords())[0]);

const root = document.getElementById("app") ?? document.body.appendChild(document.createElement("div"));
const source = document.getElementById("flow")?.textContent;
const { dashboardOrigin, illustrations, words, error } = document.body.dataset;

if (error !== undefined) {
  root.remove();
  startErrorPage();
} else {
  root.className = "app";
  start().catch((failure) => {
    // The web view of an app stays invisible until a page reports itself.
    console.error(failure);
    showError(root);
  });
}

async function start(): Promise<void> {
  if (dashboardOrigin !== undefined) {
    const { startPreview } = await arrived(import("./preview"));
    startPreview(root, dashboardOrigin, illustrations, words);
  } else if (source) {
    await startFlow(root, source);
  }
}
