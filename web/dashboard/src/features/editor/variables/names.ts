/** The names that formulas and texts can read: answers, variables, attributes and members of the device. */

import { namesIn } from "@onboarding/flow/formulas";
import { parseFormula, tokensOf } from "@onboarding/flow/parser";
import { NO_TEXT, TEXT } from "@onboarding/flow/texts";
import type { LogicCondition, Variable } from "@/api/schema";
import { type Content, type FlowDocument, type FlowScreen, screenName } from "../document";
import { ANSWERS, allSubjects, subjectsFor, VARIABLES } from "../logic/subjects";
import { DEVICE_NAMES, FUNCTIONS } from "./formulaCheck";
import { variableTexts } from "./texts";

const words = variableTexts;
const reasons = variableTexts.names;

/** A name to insert, for people, and the group that it is in. */
export interface Name {
  name: string;
  label: string;
  group: string;
}

const ATTRIBUTES = "attributes.";
const OF_TEXTS = ["app_name", "platform", "locale", "country", "appVersion", `${ATTRIBUTES}name`];
const FORMAT = /^(?:number|integer|percent|date|month|title|upper|lower|currency\([A-Za-z]{3}\))?$/;
/** Braces as texts know them, with a name, a format and a fallback; other braces; or braces without an end. */
const BRACES = new RegExp(`${TEXT}|\\{\\{(?:[^{}]*\\}\\})?`, "g");

/** Return whether a member of a content has names in its text: addresses, values and ids have none. */
export function hasNames(member: string): boolean {
  return !NO_TEXT.test(member);
}

/** Return the names that the texts of a screen can show. */
export function namesForTexts(document: FlowDocument, screenId: string): Name[] {
  return [...subjectsFor(document, screenId, "show_if").map(nameOf), ...OF_TEXTS.map(ofDevice)];
}

/** Return the names that the formula of a variable can read, and the functions: earlier variables alone. */
export function namesForFormula(document: FlowDocument, place: number): Name[] {
  const earlier = { ...document, variables: document.variables?.slice(0, place) ?? [] };
  return [
    ...allSubjects(earlier).map(nameOf),
    ...[...DEVICE_NAMES, `${ATTRIBUTES}name`].map(ofDevice),
    ...Object.entries(FUNCTIONS).map(([name, [given]]) => ({
      name: `${name}()`,
      label: `${name}(${given})`,
      group: words.functions,
    })),
  ];
}

function nameOf({ attribute, label }: { attribute: string; label: string }): Name {
  return { name: attribute, label, group: attribute.startsWith(ANSWERS) ? words.answers : words.variables };
}

function ofDevice(name: string): Name {
  return { name, label: words.ofDevice[name] ?? name, group: words.device };
}

/** A name in a text that shows nothing, or that is shown as it was written. */
export interface TextProblem {
  text: string;
  reason: string;
}

/** Return the problems of the names in a text of a screen. */
export function textProblems(value: string, document: FlowDocument, screenId: string): TextProblem[] {
  return [...value.matchAll(BRACES)].flatMap(([found, name, format = ""]) => {
    const reason = found.startsWith("\\") ? null : reasonFor(found, name, format.trim(), document, screenId);
    return reason === null ? [] : [{ text: found, reason }];
  });
}

function reasonFor(
  found: string,
  name: string | undefined,
  format: string,
  document: FlowDocument,
  screenId: string,
): string | null {
  if (name === undefined) {
    return found === "{{" ? reasons.open : reasons.none;
  }
  const isIn = (subjects: readonly { attribute: string }[]) => subjects.some(({ attribute }) => attribute === name);
  if (name.startsWith(ANSWERS) && !isIn(subjectsFor(document, screenId, "next"))) {
    return isIn(allSubjects(document)) ? reasons.later : reasons.answer;
  }
  if (name.startsWith(VARIABLES) && !isIn(allSubjects(document))) {
    return reasons.variable;
  }
  return FORMAT.test(format) ? null : reasons.format;
}

/** Return why the name of a variable is wrong, null for a good one. */
export function nameProblem(name: string, others: readonly Variable[]): string | null {
  if (!/^[a-z][a-z0-9_]{0,31}$/.test(name)) {
    return words.nameHelp;
  }
  return others.some((other) => other.name === name) ? words.nameTaken : null;
}

/** Return the names of the other variables whose formulas read a variable. */
export function readersOf({ variables = [] }: FlowDocument, name: string): string[] {
  return variables
    .filter(({ formula }) => namesIn(parseFormula(formula)).includes(VARIABLES + name))
    .map((variable) => variable.name);
}

/** Return where a variable is used: other variables, and screens by their names. */
export function usesOf(document: FlowDocument, name: string): string[] {
  return [...readersOf(document, name), ...document.screens.filter((screen) => reads(screen, name)).map(screenName)];
}

function reads({ show_if = [], next = [], content }: FlowScreen, name: string): boolean {
  const conditions = [...show_if, ...next.flatMap(({ when }) => when)];
  let isRead = conditions.some(({ attribute }) => attribute === VARIABLES + name);
  inTexts(content, (text) => {
    isRead ||= [...text.matchAll(BRACES)].some(([, found]) => found === VARIABLES + name);
    return text;
  });
  return isRead;
}

/** Return a content with other texts. */
function inTexts(content: Content, change: (text: string) => string): Content {
  const changed = (key: string, value: unknown) => (typeof value === "string" && hasNames(key) ? change(value) : value);
  return JSON.parse(JSON.stringify(content, changed)) as Content;
}

/** Return the document with another name of a variable, where it is used too. */
export function renameVariable(document: FlowDocument, place: number, name: string): FlowDocument {
  const { variables = [], screens } = document;
  const former = variables[place]?.name ?? "";
  const inFormula = (formula: string) =>
    parseFormula(formula) === null
      ? formula
      : tokensOf(formula)
          .map(({ kind, text }) => (kind === "name" && text === VARIABLES + former ? VARIABLES + name : text))
          .join("");
  const inText = (text: string) =>
    text.replace(BRACES, (found, known?: string) =>
      known === VARIABLES + former ? found.replace(known, VARIABLES + name) : found,
    );
  const inConditions = (conditions: readonly LogicCondition[]) =>
    conditions.map((condition) =>
      condition.attribute === VARIABLES + former ? { ...condition, attribute: VARIABLES + name } : condition,
    ) as LogicCondition[];
  return {
    ...document,
    variables: variables.map((variable, at) => ({
      name: at === place ? name : variable.name,
      formula: inFormula(variable.formula),
    })),
    screens: screens.map((screen) => ({
      ...screen,
      content: inTexts(screen.content, inText),
      ...(screen.show_if && { show_if: inConditions(screen.show_if) }),
      ...(screen.next && { next: screen.next.map((rule) => ({ ...rule, when: inConditions(rule.when) })) }),
    })),
  };
}

/** Return the document with other variables. None are left out, as the service does. */
export function withVariables({ variables: _, ...document }: FlowDocument, variables: Variable[]): FlowDocument {
  return { ...document, ...(variables.length > 0 && { variables }) } as FlowDocument;
}

/** Return a text with a format for the name in braces around the cursor; null where there is none. */
export function withFormat(text: string, cursor: number, format: string): string | null {
  for (const found of text.matchAll(BRACES)) {
    const [whole, name] = found;
    const end = found.index + whole.length;
    if (name !== undefined && found.index < cursor && cursor < end) {
      const fallback = /\|[^{}]*(?=\}\}$)/.exec(whole)?.[0] ?? "";
      return `${text.slice(0, found.index)}{{${name}:${format}${fallback}}}${text.slice(end)}`;
    }
  }
  return null;
}
