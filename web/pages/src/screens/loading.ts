/** A screen that ticks its steps by itself, and then goes on. */

import { heading, subtitle } from "@onboarding/flow/content";
import { seconds, steps } from "@onboarding/flow/loading";
import { h } from "../dom";
import { paragraph, title } from "../frame";
import { icon } from "../icons";
import type { ScreenContext, ScreenView } from "./screen";

const TICK_MS = 100;

/** Return the view of a screen that loads. One that Back has led to is complete, and waits for its button. */
export function loading(context: ScreenContext): ScreenView {
  const { screen, flow, isReturn } = context;
  const { content } = screen;
  const figure = h("span", { "aria-hidden": "true" });
  const ring = h("div", { class: "ring", role: "progressbar", "aria-labelledby": "heading" }, figure);
  const marks = steps(content).map((label) =>
    h("li", {}, h("span", { class: "mark" }, icon("check")), h("span", { dir: "auto" }, label)),
  );
  const spoken = h("p", { class: "unseen", role: "status" });
  const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const count = Math.max(1, marks.length);
  let done = -1;
  const show = (share: number) => {
    const reached = Math.floor(share * count);
    if (reached !== done) {
      done = reached;
      marks.forEach((mark, place) => {
        mark.className = place < done ? "done" : "";
      });
      ring.setAttribute("aria-valuenow", String(Math.round((done / count) * 100)));
      // Screen readers say the step that begins.
      spoken.textContent = marks[done]?.textContent ?? "";
    }
    const percent = Math.round((isStill ? done / count : share) * 100);
    ring.style.setProperty("--share", `${percent}%`);
    figure.textContent = `${percent}%`;
  };
  if (isReturn) {
    show(1);
  } else {
    show(0);
    run(seconds(content) * 1000);
  }
  return {
    content: [
      ring,
      title(heading(screen), flow.projectName),
      paragraph(subtitle(content)),
      marks.length > 0 && h("ol", { class: "steps" }, ...marks),
      spoken,
    ],
    hasButtons: isReturn,
  };

  /** Tick until the time is over, or the screen is left. */
  function run(time: number): void {
    const start = performance.now();
    const timer = window.setInterval(() => {
      const share = Math.min(1, (performance.now() - start) / time);
      if (!ring.isConnected) {
        window.clearInterval(timer);
        return;
      }
      show(share);
      if (share === 1) {
        window.clearInterval(timer);
        context.goOn();
      }
    }, TICK_MS);
  }
}
