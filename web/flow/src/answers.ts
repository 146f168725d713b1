/** Answers to the questions of a flow, and their validation. */

import { boxes } from "./consent";
import { bounds, heading, options } from "./content";
import type { Screen } from "./document";
import { text } from "./json";
import { isDate, numberLimits, pickerKind } from "./pickers";

export interface Answer {
  screenId: string;
  questionText: string;
  questionType: string;
  answerKey: string;
  /** Pickers and multiple choices have lists; a number is a text. */
  answer: string | string[];
  unit?: string;
}

/** What a user gives on a screen, null for nothing; `fields` of a sign-up go to the app alone. */
export type Given = (Pick<Answer, "answer" | "unit"> & { fields?: Record<string, string> }) | null;

/** The reason why an answer is not valid; `min` and `max` are the limits of `too_few` and `range`. */
export interface Problem {
  code: "missing" | "choose" | "consent" | "too_few" | "range" | "time" | "date" | "email";
  min?: number;
  max?: number;
}

export function isQuestion({ type }: Screen): boolean {
  return type.startsWith("question_") || type === "consent";
}

/** Return the name of a question's answer in events and conditions. */
export function answerKey({ id, content }: Screen): string {
  return text(content.answer_key) || id;
}

export function answerOf(answers: readonly Answer[], screenId: string | null): Answer | undefined {
  return answers.find((answer) => answer.screenId === screenId);
}

/** Return an answer with the question that it belongs to. */
export function answerTo(screen: Screen, { answer, unit }: NonNullable<Given>): Answer {
  return {
    screenId: screen.id,
    questionText: heading(screen),
    questionType: screen.type,
    answerKey: answerKey(screen),
    answer,
    ...(unit ? { unit } : {}),
  };
}

/** Return the keys of an answer and their values. Each box of a consent is true or false. */
export function valuesOfAnswer(screen: Screen, { answerKey, answer }: Answer): [string, Answer["answer"] | boolean][] {
  return screen.type === "consent"
    ? boxes(screen.content).map(({ name }) => [name, answer.includes(name)])
    : [[answerKey, answer]];
}

/** Return the answers to the questions of these screens as apps get them, in their order. Published SDKs know no consents. */
export function responses(screens: readonly Screen[], answers: readonly Answer[]): object[] {
  return screens
    .map(({ id }) => answerOf(answers, id))
    .filter((answer) => answer !== undefined)
    .filter(({ questionType }) => questionType !== "consent")
    .map(({ answerKey: _, ...response }) => response);
}

/** Return the problem of what is given to a question, null if it is valid. */
export function problemOf({ type, content }: Screen, given: Given): Problem | null {
  const values = [given?.answer ?? []].flat();
  const kind = type === "question_picker" ? pickerKind(content) : type;
  switch (kind) {
    case "question_text":
      return content.required === true && !values[0] ? { code: "missing" } : null;
    case "question_single_choice":
    case "options": {
      const offered = options(content);
      const isOptional = offered.length === 0 || content.required === false;
      const isValid = given ? offered.some(({ value }) => value === values[0]) : isOptional;
      return isValid ? null : { code: "choose" };
    }
    case "consent": {
      const isMissing = boxes(content).some(({ name, isRequired }) => isRequired && !values.includes(name));
      return isMissing ? { code: "consent" } : null;
    }
    case "question_multiple_choice": {
      const { min } = bounds(content, options(content).length);
      return values.length < min ? { code: "too_few", min } : null;
    }
    case "time":
      return /^\d\d:\d\d/.test(values[0] ?? "") ? null : { code: "time" };
    case "date":
      return isDate(values) ? null : { code: "date" };
    case "number":
    case "height":
    case "weight": {
      const { min, max } = numberLimits(content, kind, given?.unit);
      const value = Number(values[0]);
      const hasFeet = kind === "height" && given?.unit === "imperial";
      return hasFeet || (values[0] && value >= min && value <= max) ? null : { code: "range", min, max };
    }
    default:
      return null;
  }
}
