/** The times of screens that have some, a part of the script: later buttons, and going on by itself. */

import type { Screen } from "@onboarding/flow/document";
import { number } from "@onboarding/flow/json";
import { h } from "./dom";
import { afterVisible } from "./visibleTime";

/** No screen goes on before the visit has begun. */
const MIN_STAY_MS = 350;
const MAX_WAIT_SECONDS = 30;

/** Start the times of a screen, and call back at the end of its stay. Return a function that ends them. */
export function startTimes(element: HTMLElement, screen: Screen, goOn: () => void): () => void {
  const delay = wait(screen.settings.delay_seconds);
  const stay = wait(screen.settings.auto_advance_seconds);
  const stops: (() => void)[] = [];
  element.toggleAttribute("data-waiting", delay > 0);
  if (delay) {
    stops.push(afterVisible(delay, () => element.removeAttribute("data-waiting")));
  }
  if (stay) {
    const bar = h("div", { class: "countdown" });
    bar.style.animationDuration = `${stay}ms`;
    element.querySelector(".footer")?.prepend(bar);
    const end = () => {
      bar.remove();
      goOn();
    };
    stops.push(afterVisible(Math.max(MIN_STAY_MS, stay), end));
  }
  return () => {
    for (const stop of stops) {
      stop();
    }
  };
}

/** Return a time of settings in milliseconds; 0 for values that are none. */
function wait(seconds: unknown): number {
  return 1000 * Math.min(MAX_WAIT_SECONDS, Math.max(0, number(seconds) ?? 0));
}
