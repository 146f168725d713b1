/** A walk through the flow that is edited: by the page in the phone, and by the player beside it. */

import { answerOf, answerTo, isQuestion, problemOf } from "@onboarding/flow/answers";
import { type FlowDocument as PlayedFlow, placeOf, type Screen } from "@onboarding/flow/document";
import { givenOf } from "@onboarding/flow/given";
import type { Json } from "@onboarding/flow/json";
import { logicIn } from "@onboarding/flow/logic";
import { FlowSession, type SessionState } from "@onboarding/flow/session";
import { attributesOf } from "@/features/audience/conditions";

export type { PlayedFlow };

const LANGUAGE = "en";
const NEXT = { label: "", action: "next", url: "" };

/** The members of a device as they are typed, and its attributes, one on each line. */
export type TypedDevice = Partial<
  Record<"platform" | "appVersion" | "osVersion" | "country" | "locale" | "attributes", string>
>;

/** Return what conditions, formulas and texts know of a device. */
export function contextOfDevice({ attributes = "", ...members }: TypedDevice): Json {
  return { ...members, attributes: attributesOf(attributes) };
}

/** Return a session with a state. Nothing is recorded, and no app is asked. */
export function sessionOf(flow: PlayedFlow, context: Json, state: Json): FlowSession {
  const language = typeof context.locale === "string" && context.locale ? context.locale : LANGUAGE;
  const logic = logicIn(() => (isLanguage(language) ? language : LANGUAGE));
  return new FlowSession(flow, { context, logic, record: () => undefined, ask: () => null }, state);
}

/** Return whether `Intl` takes a language, which is typed. */
function isLanguage(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language).length > 0;
  } catch {
    return false;
  }
}

/** Return the state after a step. */
export function stepped(
  flow: PlayedFlow,
  context: Json,
  state: SessionState,
  step: "back" | "skip" | "next",
): SessionState {
  const session = sessionOf(flow, context, { ...state });
  if (step === "next") {
    session.press(NEXT);
  } else {
    session[step]();
  }
  return session.state;
}

/** Return the state at a screen of the path with another answer, undefined for none; null for one that is not valid. */
export function answered(flow: PlayedFlow, state: SessionState, screenId: string, value: unknown): Json | null {
  const screen = flow.screens[placeOf(flow, screenId)];
  const place = state.path.indexOf(screenId);
  if (!screen || place < 0) {
    return null;
  }
  const { progress: _, ...others } = state;
  const here = { ...others, path: state.path.slice(0, place + 1), ahead: [], screenId, isOver: false };
  if (!isQuestion(screen)) {
    const { [screenId]: __, ...choices } = state.choices;
    return { ...here, choices: value === undefined ? choices : { ...choices, [screenId]: String(value) } };
  }
  const given = value === undefined ? null : givenOf(screen, value);
  const answers = state.answers.filter((answer) => answer.screenId !== screenId);
  if (given === null) {
    return { ...here, answers };
  }
  return problemOf(screen, given) ? null : { ...here, answers: [...answers, answerTo(screen, given)] };
}

/** Return whether the page goes on from a screen with the answer that it has. */
export function isAnswered(screen: Screen, { answers }: SessionState): boolean {
  return !isQuestion(screen) || problemOf(screen, answerOf(answers, screen.id) ?? null) === null;
}
