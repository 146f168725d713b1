/** The element of the present screen: its theme, its transition, and the focus. */

import { backgroundVariables, coverVariables } from "@onboarding/flow/background";
import type { FlowDocument, Screen } from "@onboarding/flow/document";
import { paletteOf, themeStyle, themeVariables, themeWords } from "@onboarding/flow/theme";
import { replaceContent } from "./dom";
import { backgroundOf, isCovered } from "./layout";

/** The end of a flow has no screen of its own. */
const NO_SCREEN = { settings: {}, content: {} } as Screen;

/** Replaces the shown screen. */
export class Stage {
  constructor(
    private readonly root: HTMLElement,
    private readonly source: FlowDocument,
    private readonly systemIsDark: () => boolean,
    private readonly scroller: Pick<Element, "scrollTo">,
  ) {}

  /** The flow, whose theme has the colours for the device. */
  get flow(): FlowDocument {
    return { ...this.source, theme: paletteOf(this.source.theme, this.systemIsDark()).theme };
  }

  /**
   * Replace the screen. `move` is 1 forwards, -1 backwards, and 0 for the first paint, which leaves the focus alone.
   */
  show(element: HTMLElement, screen: Screen | undefined, move: number): void {
    this.paint(screen);
    if (move !== 0) {
      element.dataset.enter = move > 0 ? "forwards" : "backwards";
    }
    replaceContent(this.root, element);
    if (move !== 0) {
      this.scroller.scrollTo(0, 0);
      element.querySelector<HTMLElement>("#heading")?.focus({ preventScroll: true });
    }
  }

  /** Set the colours, fonts and radii of a screen. What the user has typed stays. */
  paint(screen: Screen | undefined): void {
    for (const name of [...this.root.style]) {
      if (name.startsWith("--")) {
        this.root.style.removeProperty(name);
      }
    }
    for (const [name, value] of Object.entries(this.variables(screen))) {
      this.root.style.setProperty(name, value);
    }
    Object.assign(this.root.dataset, themeWords(this.source.theme));
  }

  /** Return whether a screen has the colours of dark pages. */
  isDark(screen: Screen): boolean {
    return this.variables(screen)["color-scheme"] === "dark";
  }

  /** Return the message to the app about the background of a screen. */
  style(screen: Screen | undefined): string {
    return themeStyle(this.variables(screen));
  }

  private variables(screen: Screen | undefined): Record<string, string> {
    const { theme, isDark } = paletteOf(this.source.theme, this.systemIsDark());
    const on = (color: string) => themeVariables(theme, color, isDark);
    const shown = { flow: { ...this.source, theme }, screen: screen ?? NO_SCREEN };
    const background = backgroundOf(shown);
    if (isCovered(shown, background)) {
      return coverVariables(on);
    }
    const variables = on(background?.color ?? "");
    return { ...variables, ...(background ? backgroundVariables(background, variables) : {}) };
  }
}
