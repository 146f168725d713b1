/** Wheels of values, which are turned by a finger or a pointer. A control beside them is for keyboards and screen readers. */

import { h } from "../dom";

export interface Wheel {
  element: HTMLElement;
  /** Show a value, at once. */
  turn(index: number): void;
}

/**
 * Return a wheel of labels. It calls `onTurn` with the value that it comes to, and `onTap` when the value in its middle is
 * pressed. It is empty for screen readers.
 */
export function wheel(labels: readonly string[], onTurn: (index: number) => void, onTap?: () => void): Wheel {
  const rows = labels.map((label) => h("span", { dir: "auto" }, label));
  const element = h("div", { class: "wheel", "aria-hidden": "true", tabindex: -1 }, ...rows);
  const rowHeight = () => (element.scrollHeight - element.clientHeight) / (rows.length - 1);
  let present = 0;
  /** Whether the wheel is on its way to a value that was pressed, past others. */
  let isTurning = false;
  const place = () => {
    element.scrollTop = present * rowHeight();
  };
  const stop = () => {
    isTurning = false;
  };
  element.addEventListener("pointerdown", stop);
  element.addEventListener("wheel", stop, { passive: true });
  element.addEventListener("scroll", () => {
    const found = Math.round(element.scrollTop / rowHeight());
    if (isTurning) {
      isTurning = found !== present;
    } else if (found !== present && rows[found]) {
      present = found;
      onTurn(found);
    }
  });
  element.addEventListener("click", ({ target }) => {
    const pressed = rows.indexOf(target as HTMLElement);
    if (pressed === present) {
      onTap?.();
    } else if (pressed >= 0) {
      present = pressed;
      onTurn(pressed);
      isTurning = true;
      const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
      element.scrollTo({ top: pressed * rowHeight(), behavior: isStill ? "auto" : "smooth" });
    }
  });
  // The element has a height when it is on the page, which is before the first paint.
  Promise.resolve().then(place);
  return {
    element,
    turn: (index) => {
      // A wheel that tells its value goes on turning.
      if (index !== present) {
        stop();
        present = index;
        place();
      }
    },
  };
}
