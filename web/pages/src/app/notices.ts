/** What a page shows while the app does its part: progress on the button, and why the screen stays. */

import type { FlowSession, SessionState } from "@onboarding/flow/session";
import { h } from "../dom";
import { ErrorText } from "../frame";
import type { Player } from "../player";
import { WORDS } from "../words";

/** Follow a session whose screens a player shows. `retry` does again what a screen without buttons waits for. */
export function showNotices(root: HTMLElement, session: FlowSession, player: Player, retry: () => void): void {
  const error = new ErrorText();
  const again = h("button", { type: "button", class: "button secondary", click: retry }, WORDS.again);
  const show = ({ notice, isBusy }: SessionState) => {
    const button = root.querySelector(".footer .primary");
    button?.toggleAttribute("data-busy", isBusy);
    button?.setAttribute("aria-busy", String(isBusy));
    const message = notice === "" ? WORDS.missing : (notice ?? "");
    error.show("", []);
    again.remove();
    if (message && !player.fail(message)) {
      root.querySelector(".content")?.append(error.element);
      error.show(message, []);
    }
    if (message && !button) {
      root.querySelector(".frame")?.append(h("footer", { class: "footer" }, again));
    }
  };
  session.subscribe((state, before) => {
    if (state.notice !== before.notice || state.isBusy !== before.isBusy || state.screenId !== before.screenId) {
      show(state);
    }
  });
  show(session.state);
}
