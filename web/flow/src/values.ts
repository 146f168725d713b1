/** The values that conditions, formulas and texts read, by their full names: `answers.goal` for example. */

import { type Answer, answerKey, answerOf, valuesOfAnswer } from "./answers";
import { options } from "./content";
import type { FlowDocument, Screen } from "./document";
import { evaluate } from "./formulas";
import { type Json, list, object, text } from "./json";
import { CM_PER_INCH, KG_PER_POUND, MONTHS, pickerKind } from "./pickers";

/**
 * What the logic reads. `choices` are the answers of screens that are no questions, by the ids of the screens. `set` has
 * the values that the app has given, by their full names; those of the key "" belong to no screen.
 */
export interface Way {
  readonly path: readonly string[];
  readonly answers: readonly Answer[];
  readonly choices: Readonly<Record<string, string>>;
  readonly set?: Readonly<Record<string, Json>>;
}

export const MEMBERS = ["platform", "appVersion", "osVersion", "locale", "country", "deviceId"];
const MINUTE_MS = 60_000;

/**
 * Return the values of a way. Missing ones are left out. `today` is the date of the context, or that of the device.
 */
export function valuesOf(flow: FlowDocument, way: Way, context: Json): Json {
  const values: Json = { app_name: flow.projectName, today: text(context.today) || today() };
  const add = (name: string, value: unknown) => {
    if (value !== undefined && value !== null) {
      values[name] = value;
    }
  };
  for (const name of MEMBERS) {
    add(name, context[name]);
  }
  for (const [name, value] of Object.entries(object(context.attributes))) {
    add(`attributes.${name}`, value);
  }
  for (const screen of screensOn(flow, way)) {
    const given = answerOf(way.answers, screen.id);
    if (screen.type !== "consent") {
      add(nameOf(screen), valueOn(screen, way));
    } else if (given) {
      for (const [key, value] of valuesOfAnswer(screen, given)) {
        add(`answers.${key}`, value);
      }
    }
  }
  for (const id of ["", ...way.path]) {
    Object.assign(values, way.set?.[id]);
  }
  for (const { name, tree } of variablesOf(flow)) {
    add(name, evaluate(tree, values));
  }
  return values;
}

/** Return the questions of a way by the names of their answers. */
export function questionsOf(flow: FlowDocument, way: Way): Record<string, Screen> {
  const answered = screensOn(flow, way).filter(({ id }) => answerOf(way.answers, id));
  return Object.fromEntries(answered.map((screen) => [nameOf(screen), screen]));
}

/** Return the variables of a flow with their full names. */
export function variablesOf({ variables }: FlowDocument): { name: string; tree: unknown }[] {
  return list(variables)
    .map(object)
    .map(({ name, tree }) => ({ name: `variables.${text(name)}`, tree }));
}

function screensOn({ screens }: FlowDocument, { path }: Way): Screen[] {
  return screens.filter(({ id }) => path.includes(id));
}

function nameOf(screen: Screen): string {
  return `answers.${answerKey(screen)}`;
}

function today(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 10);
}

/** Return the value of the answer on a screen. Numbers are metric, and not rounded. */
function valueOn({ id, type, content }: Screen, { answers, choices }: Way): unknown {
  const given = answerOf(answers, id);
  if (!given) {
    return choices[id];
  }
  const values = [given.answer].flat();
  const [first = "", second = "", third = ""] = values;
  const isImperial = given.unit === "imperial";
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
