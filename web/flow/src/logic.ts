/** The way through a flow: conditions of screens, rules, answers that conditions read, and progress (docs/logic.md). */

import { type Answer, answerKey, answerOf } from "./answers";
import { answerRead, type Condition, holds, readConditions } from "./conditions";
import { options } from "./content";
import type { FlowDocument, Screen } from "./document";
import { type Json, list, memberOf, object, text } from "./json";
import { CM_PER_INCH, KG_PER_POUND, MONTHS, pickerKind } from "./pickers";
import type { Request } from "./session";

const END = "end";
const MAX_ATTRIBUTES_BYTES = 4_096;

/** What a session needs of this module. A page loads it for flows with logic alone. */
export interface Logic {
  choiceOf: typeof choiceOf;
  contextOf: typeof contextOf;
  hasLogic: typeof hasLogic;
  next: typeof next;
  progress: typeof progress;
  wayTo: typeof wayTo;
}

/** What the logic reads. `choices` are the answers of screens that are no questions, by the ids of the screens. */
export interface Way {
  readonly path: readonly string[];
  readonly answers: readonly Answer[];
  readonly choices: Readonly<Record<string, string>>;
}

/** Return whether a flow has conditions or rules. */
export function hasLogic({ screens }: FlowDocument): boolean {
  return screens.some(({ showIf, next }) => showIf.length > 0 || next.length > 0);
}

/** Return the screen behind the last one of the path, or the first one of an empty path; null at the end of the flow. */
export function next({ screens }: FlowDocument, way: Way, context: Json): string | null {
  const present = way.path[way.path.length - 1];
  const place = screens.findIndex(({ id }) => id === present);
  const answers = answersOn(screens, way);
  const test = (conditions: readonly Condition[]) =>
    conditions.every((condition) => holds(condition, context, answers));
  const placeOf = (target: string) => (target === END ? screens.length : screens.findIndex(({ id }) => id === target));
  const rules = list(screens[place]?.next).map(object);
  const rule = rules.find(({ when, goTo }) => placeOf(text(goTo)) > place && test(readConditions(when)));
  const target = rule ? placeOf(text(rule.goTo)) : place + 1;
  return screens.slice(target).find(({ showIf }) => test(readConditions(showIf)))?.id ?? null;
}

/** Return the screens that lead to a screen with what was given; those in front of it at the most. */
export function wayTo(flow: FlowDocument, given: Way, context: Json, screenId: string): string[] {
  const limit = flow.screens.findIndex(({ id }) => id === screenId);
  const path: string[] = [];
  for (;;) {
    const at = next(flow, { ...given, path }, context);
    if (at === null || flow.screens.findIndex(({ id }) => id === at) >= limit) {
      return path;
    }
    path.push(at);
  }
}

/** Return the share of the flow that was shown. Screens that depend on an answer not yet given may still come. */
export function progress({ screens }: FlowDocument, way: Way, context: Json): number {
  const answers = answersOn(screens, way);
  const present = screens.findIndex(({ id }) => id === way.path[way.path.length - 1]);
  const counted = screens.map((screen, place) => ({ screen, place })).filter(({ screen }) => counts(screen));
  const shown = counted.filter(({ screen }) => way.path.includes(screen.id)).length;
  const coming = counted.filter(({ screen, place }) => {
    const showIf = readConditions(screen.showIf);
    const waits = showIf.map(answerRead).some((key) => key !== null && memberOf(answers, key) === undefined);
    return place > present && (waits || showIf.every((condition) => holds(condition, context, answers)));
  }).length;
  return shown + coming > 0 ? shown / (shown + coming) : 1;
}

/** Return whether a screen counts for the progress. */
export function counts({ settings }: Screen): boolean {
  return settings.counts !== false;
}

/** Return the values of the answers on the path by their keys. */
function answersOn(screens: readonly Screen[], { path, answers, choices }: Way): Json {
  const found: [string, unknown][] = [];
  for (const screen of screens.filter(({ id }) => path.includes(id))) {
    const answer = answerOf(answers, screen.id);
    const value = answer ? conditionValue(screen, answer) : choices[screen.id];
    if (value !== undefined) {
      found.push([answerKey(screen), value]);
    }
  }
  return Object.fromEntries(found);
}

/** Return the value of an answer in conditions. Numbers are metric, and not rounded. */
function conditionValue({ type, content }: Screen, { answer, unit }: Answer): unknown {
  const values = [answer].flat();
  const [first = "", second = "", third = ""] = values;
  const isImperial = unit === "imperial";
  if (type === "question_multiple_choice") {
    return options(content)
      .map(({ value }) => value)
      .filter((value) => values.includes(value));
  }
  switch (type === "question_picker" && pickerKind(content)) {
    case "date":
      return [third.padStart(4, "0"), twoDigits(MONTHS.indexOf(first) + 1), twoDigits(second)].join("-");
    case "time":
      return first.slice(0, 5);
    case "height":
      return isImperial ? (Number(first) * 12 + Number(second)) * CM_PER_INCH : Number(first);
    case "weight":
      return Number(first) * (isImperial ? KG_PER_POUND : 1);
    case "number":
      return Number(first);
    default:
      return first;
  }
}

function twoDigits(value: number | string): string {
  return String(value).padStart(2, "0");
}

/**
 * Return what conditions know of the device, as a resolve does, from parameters of a query. Attributes that a resolve
 * refuses are absent.
 */
export function contextOf(parameters: Iterable<readonly [string, string]>, deviceId: string): Json {
  const device: Json = { deviceId };
  for (const [name, value] of parameters) {
    const given = name === "attributes" ? readAttributes(value) : value.trim();
    if (given) {
      device[name] = given;
    }
  }
  return device;
}

function readAttributes(value: string): Json | null {
  try {
    const isShort = utf8Bytes(value) <= MAX_ATTRIBUTES_BYTES;
    const attributes = isShort ? object(JSON.parse(value)) : {};
    return Object.values(attributes).every((one) => /string|number|boolean/.test(typeof one)) ? attributes : null;
  } catch {
    return null;
  }
}

/** Return the bytes of a text in UTF-8. This package has no library of the browser. */
function utf8Bytes(value: string): number {
  return encodeURIComponent(value).replace(/%../g, "x").length;
}

/** Return the answer that a request to the app is for conditions, undefined for none. */
export function choiceOf(request: Request): string | undefined {
  switch (request.type) {
    case "permission":
      return "asked";
    case "purchase":
      return request.productId;
    case "signup":
      return request.method;
    default:
      return undefined;
  }
}
