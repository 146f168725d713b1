/** Screens of type `native`: the app draws them in the flow, outside of the shadow root, with its own styles. */

import { object, text } from "@onboarding/flow/json";
import type { FlowSession as Engine } from "@onboarding/flow/session";
import { valuesOf } from "@onboarding/flow/values";
import { h } from "@onboarding/pages/dom";
import { ErrorText, paragraph, title } from "@onboarding/pages/frame";
import { other } from "@onboarding/pages/screens/information";
import type { ScreenContext, ScreenView } from "@onboarding/pages/screens/screen";
import type { NativeScreen } from "./options";

/** Draws a screen into an element. A function that it returns is called when the screen is left. */
export type Component = (element: HTMLElement, screen: NativeScreen) => unknown;
export type Components = Record<string, Component>;

const SLOT = "native";
const NOT_HERE = "This step needs the app.";

export class NativeScreens {
  private leave: () => void = () => {};
  private readonly unfollow: () => void;

  constructor(
    private readonly host: HTMLElement,
    private readonly engine: Engine,
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
    const { screen } = context;
    const component = Object.getOwnPropertyDescriptor(this.components, text(screen.content.name))?.value as Component;
    const { fallback, required } = screen.settings;
    if (component) {
      return this.drawn(context, component);
    }
    if (required === true || fallback === "stop") {
      return { content: [title(text(screen.content.title)), paragraph(NOT_HERE)], hasButtons: false };
    }
    if (fallback !== "screen") {
      const isBack = context.isReturn && this.engine.state.path.length > 1;
      Promise.resolve().then(() => {
        if (this.engine.state.screenId === screen.id) {
          isBack ? this.engine.back() : this.engine.skip();
        }
      });
    }
    return other(context);
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
    const error = new ErrorText();
    let isLeft = false;
    const once = (action: () => void) => () => {
      if (!isLeft && this.engine.state.screenId === screen.id) {
        action();
      }
    };
    const given: NativeScreen = {
      screenId: screen.id,
      name: text(screen.content.name),
      data: object(screen.content.data),
      answers: answersOf(this.engine, context),
      done: once(() => this.engine.elapse()),
      back: once(() => this.engine.back()),
      fail: (message) => error.show(message, []),
    };
    this.host.append(element);
    let leave: unknown;
    try {
      leave = component(element, given);
    } catch (failure) {
      console.error(failure);
      error.show(NOT_HERE, []);
    }
    this.leave = () => {
      isLeft = true;
      if (typeof leave === "function") {
        leave();
      }
      element.remove();
    };
    return { content: [title("", flow.projectName), h("slot", { name: SLOT }), error.element], hasButtons: false };
  }

  private end(): void {
    const { leave } = this;
    this.leave = () => {};
    leave();
  }
}

function answersOf({ state }: Engine, { flow }: ScreenContext) {
  const values = Object.entries(valuesOf(flow, state, {})).filter(([name]) => name.startsWith("answers."));
  return Object.fromEntries(values.map(([name, value]) => [name.slice("answers.".length), value]));
}
