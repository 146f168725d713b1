/** Shows a flow in a page, as a dialog or in an element, without a frame of another page. */

import type { Onboarding } from "../onboarding";
import { openModal } from "./modal";
import { type Drawn, draw } from "./mount";
import type { Components } from "./native";
import { failed, type OnboardingResult, resultOf, type ShowOptions, shownFlow } from "./options";

export type { Component, Components } from "./native";
export type { Hooks, NativeScreen, OnboardingResult, ShowOptions } from "./options";
export { warm } from "./parts";

export interface WebOptions extends ShowOptions {
  /** Draw screens of type `native`, by their names. */
  screens?: Components | undefined;
  /** Whether Escape ends the flow of a dialog. On a screen that can be skipped it skips the screen. */
  closable?: boolean | undefined;
}

export interface Mounted {
  result: Promise<OnboardingResult>;
  /** End the flow, which counts as skipped. */
  close(): void;
}

/** Show the flow for this device as a dialog over the page. The promise is never rejected. */
export async function showOnboarding(client: Onboarding, options: WebOptions = {}): Promise<OnboardingResult> {
  const shown = await shownFlow(client, options);
  if ("outcome" in shown) {
    return shown;
  }
  let drawn: Drawn | null = null;
  const leave = () => {
    if (drawn?.session.state.screen?.settings.skippable === true) {
      drawn.session.skip();
    } else if (options.closable) {
      drawn?.session.end();
    }
  };
  let close = () => {};
  try {
    const element = document.createElement("div");
    element.style.height = "100%";
    drawn = await draw(client, shown, element, options, () => {
      const modal = openModal(client.appName, leave);
      close = modal.close;
      modal.element.append(element);
      return true;
    });
    return await (drawn?.result ?? resultOf("none"));
  } catch (error) {
    return failed(error, shown);
  } finally {
    close();
  }
}

/** Show the flow for this device in an element, which it fills. `result` is never rejected. */
export function mountOnboarding(client: Onboarding, element: HTMLElement, options: WebOptions = {}): Mounted {
  const { result, detach, drawn } = begin(client, element, options);
  return {
    result,
    close: () => {
      drawn()?.session.end();
      detach();
    },
  };
}

/** As `mountOnboarding`, for renderers that come and go: `detach` takes the flow away and keeps the visit. */
export function begin(client: Onboarding, element: HTMLElement, options: WebOptions) {
  let isClosed = false;
  let drawn: Drawn | null = null;
  let settle: (result: OnboardingResult) => void;
  const closed = new Promise<OnboardingResult>((done) => {
    settle = done;
  });
  const run = async (): Promise<OnboardingResult> => {
    const shown = await shownFlow(client, options);
    if ("outcome" in shown) {
      return shown;
    }
    try {
      drawn = await draw(client, shown, element, options, () => !isClosed);
      return await (drawn?.result ?? resultOf("skipped", shown));
    } catch (error) {
      return failed(error, shown);
    }
  };
  return {
    result: Promise.race([run(), closed]),
    drawn: () => drawn,
    detach: () => {
      isClosed = true;
      drawn?.remove();
      settle(resultOf("skipped", client.resolution));
    },
  };
}
