/** The distinct paths through a flow, found by answering its questions in all ways that its conditions tell apart. */

import { type Answer, answerKey, answerTo, problemOf } from "@onboarding/flow/answers";
import { type Condition, readConditions } from "@onboarding/flow/conditions";
import { boxes } from "@onboarding/flow/consent";
import { options } from "@onboarding/flow/content";
import { type FlowDocument, placeOf, type Screen } from "@onboarding/flow/document";
import { namesIn } from "@onboarding/flow/formulas";
import { givenOf } from "@onboarding/flow/given";
import { type Json, list, object } from "@onboarding/flow/json";
import { next } from "@onboarding/flow/logic";
import { numberLimits, type PickerKind, pickerKind } from "@onboarding/flow/pickers";
import { variablesOf, type Way } from "@onboarding/flow/values";

export const MAX_PATHS = 200;
/** Steps that are tried at the most, so that a flow with many questions does not keep the browser busy. */
const MAX_STEPS = 10_000;
/** A multiple choice is tried with all sets of so many options; of further ones, each by itself and all. */
const MAX_SUBSET_OPTIONS = 6;

export interface FoundPaths {
  /** One way for each distinct path: the path, and answers that lead there. */
  ways: readonly Way[];
  /** Whether there are, or may be, more. */
  isCut: boolean;
}

/** What conditions and formulas read of an answer: the values that they compare it with, and whether a formula does. */
interface Reading {
  values: readonly unknown[];
  isComputed: boolean;
}

/** The choices of screens that are no questions: permissions, products, ways to sign up. */
export type ChoicesOf = (screenId: string) => readonly string[];

/** Return the distinct paths of a device through a flow. */
export function pathsOf(flow: FlowDocument, context: Json, choicesOf: ChoicesOf): FoundPaths {
  const readings = readingsFrom(flow, 0);
  const after = flow.screens.map((_, place) => readingsFrom(flow, place));
  const found = new Map<string, Way>();
  const tried = new Set<string>();
  let steps = 0;
  let isCut = false;

  const follow = (way: Way): void => {
    steps += 1;
    if (steps > MAX_STEPS || found.size > MAX_PATHS) {
      isCut = true;
      return;
    }
    const { screenId } = next(flow, way, context);
    const path = screenId === null ? way.path : [...way.path, screenId];
    // Two ways with one path go on in the same way if all answers are the same that further screens read.
    const read = after[placeOf(flow, screenId)];
    const answers = way.answers.filter(
      ({ answerKey, questionType }) => questionType === "consent" || read?.has(`answers.${answerKey}`),
    );
    const choices = Object.entries(way.choices).filter(([id]) => read?.has(choiceName(flow, id)));
    const key = `${path.join(" ")} ${screenId === null ? "" : JSON.stringify([answers, choices])}`;
    if (tried.has(key)) {
      return;
    }
    tried.add(key);
    const screen = flow.screens.find(({ id }) => id === screenId);
    if (screen === undefined) {
      found.set(path.join(" "), way);
      return;
    }
    for (const answered of answersOn(screen, { ...way, path }, readings, choicesOf)) {
      follow(answered);
    }
  };
  follow({ path: [], answers: [], choices: {} });
  return { ways: [...found.values()].slice(0, MAX_PATHS), isCut };
}

/** Return a way with each answer to its last screen that can make a difference. */
function answersOn(screen: Screen, way: Way, readings: ReadonlyMap<string, Reading>, choicesOf: ChoicesOf): Way[] {
  if (screen.type === "consent") {
    const offered = boxes(screen.content);
    const names = (given: typeof offered) => given.map(({ name }) => name);
    // Any box can be ticked, but for the required ones, which always are.
    const read = offered.filter(({ name, isRequired }) => !isRequired && readings.has(`answers.${name}`));
    const fixed = names(offered.filter((box) => !read.includes(box)));
    return setsOf(names(read), names(read))
      .concat([[]])
      .map((set) => ({ ...way, answers: [...way.answers, answerTo(screen, { answer: [...fixed, ...set] })] }));
  }
  const reading = readings.get(`answers.${answerKey(screen)}`);
  if (!screen.type.startsWith("question_")) {
    const choices = reading ? [...choicesOf(screen.id), null] : [null];
    return choices.map((choice) =>
      choice === null ? way : { ...way, choices: { ...way.choices, [screen.id]: choice } },
    );
  }
  const mayBeMissing = screen.settings.skippable === true || problemOf(screen, null) === null;
  const given = valuesFor(screen, reading ?? { values: [], isComputed: false })
    .map((value) => givenOf(screen, value))
    .filter((one) => one !== null && problemOf(screen, one) === null);
  const answers = (reading ? given : given.slice(0, 1)).flatMap((one): Answer[] =>
    one ? [answerTo(screen, one)] : [],
  );
  const ways = answers.map((answer) => ({ ...way, answers: [...way.answers, answer] }));
  return (mayBeMissing && reading) || ways.length === 0 ? [...ways, way] : ways;
}

/** Return values of an answer: one of each kind that what reads it can tell apart. */
function valuesFor(screen: Screen, { values, isComputed }: Reading): readonly unknown[] {
  const { type, content } = screen;
  const offered = options(content).map(({ value }) => value);
  const kind = type === "question_picker" ? pickerKind(content) : type;
  switch (kind) {
    case "question_single_choice":
    case "options":
      return offered;
    case "question_multiple_choice":
      return setsOf(offered, isComputed ? offered : offered.filter((value) => values.includes(value)));
    case "number":
    case "height":
    case "weight":
      return numbersFor(content, kind, values, isComputed);
    case "date":
      return [...values, new Date().toISOString().slice(0, 10), "2000-01-01"];
    case "time":
      return [...values, "00:00", "12:00", "23:59"];
    default:
      return [...values, "…"];
  }
}

function numbersFor(content: Json, kind: PickerKind, values: readonly unknown[], isComputed: boolean): number[] {
  const { min, max, step, value } = numberLimits(content, kind);
  const compared = values.flatMap((one) => (typeof one === "number" ? [one - step, one, one + step] : []));
  const between = isComputed ? [0.1, 0.25, 0.5, 0.75, 0.9].map((share) => min + Math.round((max - min) * share)) : [];
  const all = [value, min, ...compared, ...between, max].map((one) => Math.min(max, Math.max(min, one)));
  return [...new Set(all)];
}

/** Return sets of options: all sets of those that are read, filled up with others where a set has to be larger. */
function setsOf(offered: readonly string[], read: readonly string[]): string[][] {
  const others = offered.filter((value) => !read.includes(value));
  const sets =
    read.length > MAX_SUBSET_OPTIONS
      ? [[], ...read.map((value) => [value]), [...read]]
      : Array.from({ length: 2 ** read.length }, (_, bits) => read.filter((__, place) => (bits >> place) & 1));
  const filled = sets.flatMap((set) => [set, [...set, ...others.slice(0, 1)], [...set, ...others]]);
  return [...new Map(filled.map((set) => [set.join("\n"), offered.filter((value) => set.includes(value))])).values()]
    .filter((set) => set.length > 0)
    .sort((one, other) => one.length - other.length);
}

function choiceName(flow: FlowDocument, screenId: string): string {
  const screen = flow.screens[placeOf(flow, screenId)];
  return screen ? `answers.${answerKey(screen)}` : "";
}

/** Return what reads answers on a screen and behind it, by the names of the answers. */
function readingsFrom(flow: FlowDocument, place: number): ReadonlyMap<string, Reading> {
  const conditions = flow.screens
    .slice(place)
    .flatMap(({ showIf, next: rules }): Condition[] => [
      ...readConditions(showIf),
      ...list(rules).flatMap((rule) => readConditions(object(rule).when)),
    ]);
  const readings = new Map<string, Reading>();
  const trees = new Map(variablesOf(flow).map(({ name, tree }) => [name, tree]));
  const read = (name: string, values: readonly unknown[], isComputed: boolean): void => {
    const tree = trees.get(name);
    if (tree !== undefined) {
      for (const inner of namesIn(tree)) {
        read(inner, [], true);
      }
      return;
    }
    const known = readings.get(name) ?? { values: [], isComputed: false };
    readings.set(name, {
      values: [...new Set([...known.values, ...values])],
      isComputed: known.isComputed || isComputed,
    });
  };
  for (const { attribute, value } of conditions) {
    read(attribute, [value ?? []].flat(), false);
  }
  return readings;
}
