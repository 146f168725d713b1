/** The parts of a screen of any type. */

import type { Button } from "../content";
import type { Child } from "../dom";
import type { FlowDocument, Screen } from "../flowDocument";
import type { Answer } from "../visit";

export interface ScreenContext {
  screen: Screen;
  flow: FlowDocument;
  /** The answer of this visit, when the person comes back or reloads. */
  answer: Answer | undefined;
  /** Run the action of a button. */
  press(button: Button): void;
  /** Record an event of a type of its own. */
  record(eventType: string, properties: Record<string, string>): void;
}

/** An answer; null means that the question stays without one. */
export type GivenAnswer = Pick<Answer, "answer" | "unit"> | null;

export interface ScreenView {
  /** The content below the heading's place, the heading included. */
  content: Child[];
  /** The way out at the top, where a screen has one of its own. */
  close?: boolean;
  /** Return the answer; undefined while it is not valid, with its error shown. Without it a screen has no question. */
  read?(): GivenAnswer | undefined;
  /** Return false while something on the screen is not valid, with its error shown. */
  validate?(): boolean;
  /** Called before the action of the primary button. */
  beforePrimary?(): void;
}
