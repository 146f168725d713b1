/** The types that all screens share. */

import type { Answer, Given } from "@onboarding/flow/answers";
import type { Button } from "@onboarding/flow/content";
import type { FlowDocument, Screen } from "@onboarding/flow/document";
import type { Child } from "../dom";

export interface ScreenContext {
  screen: Screen;
  flow: FlowDocument;
  /** The answer of this visit, if the screen was shown before. */
  answer: Answer | undefined;
  /** Whether an app gets what is typed into a sign-up. */
  hasApp: boolean;
  /** The language of the controls. */
  language: string;
  /** Return whether the screen is dark. */
  isDark(): boolean;
  /** Whether Back has led to the screen. */
  isReturn: boolean;
  /** Press the primary button. */
  submit(): void;
  /** Leave the screen at the end of its time. One that is edited stays. */
  goOn(): void;
  /** Run the action of another button, with what is given by it. */
  press(button: Button, given?: Given): void;
}

export interface ScreenView {
  /** The content of the screen with its heading. */
  content: Child[];
  /** Whether the screen has a close button at the top. */
  close?: boolean;
  /** Whether the buttons are shown; by default they are. */
  hasButtons?: boolean;
  /** Return what the user gives, or undefined after showing errors. A screen that asks nothing has no `read`. */
  read?(): Given | undefined;
  /** Called with the frame of the screen, with its buttons. */
  mounted?(frame: HTMLElement): void;
  /** Show the problem of what was given. */
  fail?(message: string): void;
}

/** Functions that make the views of screens, by the types of the screens. */
export type ScreenViews = Record<string, (context: ScreenContext) => ScreenView>;
