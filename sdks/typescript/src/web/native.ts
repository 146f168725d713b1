/** Screens of type `native`: the app draws them in the flow, outside of the shadow root, with its own styles. */

import type { AppSession } from "@onboarding/flow/appSession";
import { type Json, memberOf, object, text } from "@onboarding/flow/json";
import { native } from "@onboarding/pages/app/native";
import { h } from "@onboarding/pages/dom";
import { title } from "@onboarding/pages/frame";
import type { ScreenContext, ScreenView } from "@onboarding/pages/screens/screen";
import type { NativeScreen } from "./options";

/** Draws a screen into an element. A function that it returns is called when the screen is left. */
export type Component = (element: HTMLElement, screen: NativeScreen) => unknown;
export type Components = Record<string, Component>;

const SLOT = "native";

export class NativeScreens {
  private leave: () => void = () => {};
  private readonly unfollow: () => void;

  constructor(
    private readonly host: HTMLElement,
    private readonly engine: AppSession,
    private readonly components: Components,
  ) {
    this.unfollow = engine.subscribe(({ screenId, isOver }, before) => {
      if (screenId !== before.screenId || isOver) {
        this.end();
      }
    });
  }

  /** Return the view of a screen. The player has left the screen before. */
  view(context: ScreenContext): ScreenView {
    const component = memberOf(this.components, text(context.screen.content.name));
    return component ? this.drawn(context, component) : native(context, false, false);
  }

  /** End the present screen of the app. */
  close(): void {
    this.end();
    this.unfollow();
  }

  private drawn(context: ScreenContext, component: Component): ScreenView {
    const { screen, flow } = context;
    this.end();
    const element = document.createElement("div");
    element.slot = SLOT;
    let isLeft = false;
    const here = (action: () => void) => {
      if (!isLeft && this.engine.state.screenId === screen.id) {
        action();
      }
    };
    const given: NativeScreen = {
      screenId: screen.id,
      name: text(screen.content.name),
      data: object(screen.content.data),
      answers: this.engine.answers,
      done: (values) => here(() => this.engine.done(plain(values))),
      back: () => here(() => this.engine.back()),
      fail: (message) => here(() => this.engine.stay(message)),
    };
    this.host.append(element);
    let leave: unknown;
    try {
      leave = component(element, given);
    } catch (failure) {
      console.error(failure);
      // The view is not shown yet.
      void Promise.resolve().then(() => here(() => this.engine.stay("")));
    }
    this.leave = () => {
      isLeft = true;
      if (typeof leave === "function") {
        leave();
      }
      element.remove();
    };
    return { content: [title("", flow.projectName), h("slot", { name: SLOT })], hasButtons: false };
  }

  private end(): void {
    const { leave } = this;
    this.leave = () => {};
    leave();
  }
}

/** Return an object that is written as one, and an empty one for events and the like. */
function plain(values: unknown): Json {
  const given = object(values);
  return Object.getPrototypeOf(given) === Object.prototype ? given : {};
}
