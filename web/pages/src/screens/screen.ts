/** The types that all screens share. */

import type { Button } from "@onboarding/flow/content";
import type { FlowDocument, Screen } from "@onboarding/flow/document";
import type { Bridge } from "../bridge";
import type { Child } from "../dom";
import type { Answer } from "../visit";

export interface ScreenContext {
  screen: Screen;
  flow: FlowDocument;
  /** The answer of this visit, if the screen was shown before. */
  answer: Answer | undefined;
  bridge: Bridge;
  /** Whether an app gets what is typed into a sign-up. */
  hasApp: boolean;
  /** Run the action of a button. With `asksApp` the page gives the app time for its own part. */
  press(button: Button, asksApp?: boolean): void;
  /** Record an event of the screen. */
  record(eventType: string, properties: Record<string, string>): void;
}

/** An answer; null for a question that may stay without one. */
export type GivenAnswer = Pick<Answer, "answer" | "unit"> | null;

export interface ScreenView {
  /** The content of the screen with its heading. */
  content: Child[];
  /** Whether the screen has a close button at the top. */
  close?: boolean;
  /** Return the answer, or show its error and return undefined. A screen without a question has no `read`. */
  read?(): GivenAnswer | undefined;
  /** Return whether the values of the screen are valid, and show the errors. */
  validate?(): boolean;
  /** Called before the action of the primary button. Return whether the app was asked, so that the page waits. */
  beforePrimary?(): boolean;
  /** Called before the close button leaves the screen. */
  beforeClose?(): void;
}
