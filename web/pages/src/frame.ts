/** The parts around a screen's content: progress, back, skip, heading, buttons, errors. */

import type { Button } from "@onboarding/flow/content";
import { type Child, h } from "./dom";
import { icon } from "./icons";
import { counted, WORDS } from "./words";

export interface FrameOptions {
  /** The number of the screen among the screens that count for the progress, and their number. */
  step: number;
  count: number;
  /** The share of a flow with logic that was shown; its number of screens to come is not known. */
  share: number | null;
  onBack: (() => void) | null;
  onSkip: (() => void) | null;
  onClose: (() => void) | null;
  /** The logo of the theme. */
  logo: HTMLElement | null;
}

/** Return the frame of a screen with its content and its footer. Its hint describes the control of its heading. */
export function frame(options: FrameOptions, content: Child[], footer: Child[]): HTMLElement {
  const main = h("main", { class: "content" }, ...content);
  for (const control of main.querySelector("#hint") ? main.querySelectorAll("[aria-labelledby=heading]") : []) {
    control.setAttribute("aria-describedby", "hint");
  }
  return h(
    "div",
    { class: "frame" },
    header(options),
    main,
    footer.length > 0 && h("footer", { class: "footer" }, ...footer),
  );
}

function header({ step, count, share, onBack, onSkip, onClose, logo }: FrameOptions): HTMLElement {
  const label = share === null && step > 0 ? counted(WORDS.step, step, count) : "";
  const progress = h("progress", {
    max: share === null ? count : 1,
    value: share ?? step,
    "aria-label": label || WORDS.progress,
  });
  progress.style.setProperty("--count", String(count));
  return h(
    "header",
    { class: "header" },
    count > 1 && progress,
    h(
      "div",
      { class: "bar" },
      onBack
        ? h("button", { type: "button", class: "quiet back", "aria-label": WORDS.back, click: onBack }, icon("back"))
        : h("span"),
      h(
        "div",
        { class: "middle" },
        logo,
        count > 1 && label && h("p", { class: logo ? "step unseen" : "step", dir: "auto" }, label),
      ),
      onClose
        ? h("button", { type: "button", class: "quiet", "aria-label": WORDS.close, click: onClose }, icon("close"))
        : onSkip
          ? h("button", { type: "button", class: "quiet", click: onSkip }, WORDS.skip)
          : h("span"),
    ),
  );
}

/**
 * Return the heading of a screen, which gets the focus when the screen is shown. Without a label, screen readers read
 * `name`, which is not visible.
 */
export function title(label: string, name = ""): HTMLElement {
  return h("h1", { id: "heading", class: label ? null : "unseen", tabindex: -1, dir: "auto" }, label || name);
}

/** Return a paragraph, or nothing for an empty text. */
export function paragraph(label: string, className = "lead", id?: string): Child {
  return label && h("p", { class: className, id, dir: "auto" }, label);
}

/** Return an icon in a tinted circle. */
export function badge(name: string, size = ""): HTMLElement {
  return h("span", { class: `badge ${size}` }, icon(name));
}

/** Return the button of an action, or a link for an https address. */
export function actionButton(button: Button, className: string, press: (button: Button) => void): HTMLElement {
  if (button.action === "open_url" && /^https:\/\//i.test(button.url)) {
    const target = { href: button.url, target: "_blank", rel: "noopener noreferrer" };
    return h("a", { class: `button ${className}`, dir: "auto", ...target }, button.label);
  }
  const attributes = { type: "button", class: `button ${className}`, dir: "auto", click: () => press(button) };
  return h("button", attributes, button.label);
}

let errors = 0;

/** The text of an error below its controls. */
export class ErrorText {
  readonly element = h("p", { class: "error", id: `error-${++errors}`, role: "alert", dir: "auto" });

  /** Show an error, mark `controls` as invalid and describe `describes` by it; an empty text removes all of this. */
  show(text: string, controls: Element[], describes: Element[] = controls): void {
    this.element.textContent = text;
    for (const control of controls) {
      if (text) {
        control.setAttribute("aria-invalid", "true");
      } else {
        control.removeAttribute("aria-invalid");
      }
    }
    for (const control of describes) {
      const hint = (control.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => id === "hint");
      const ids = text ? [...hint, this.element.id] : hint;
      if (ids.length > 0) {
        control.setAttribute("aria-describedby", ids.join(" "));
      } else {
        control.removeAttribute("aria-describedby");
      }
    }
  }
}
