/** The way through a flow: conditions of screens, rules, progress, and texts (docs/logic.md). */

import { type Condition, holds, readConditions } from "./conditions";
import { countOf, type FlowDocument, placeOf, type Screen } from "./document";
import { namesIn } from "./formulas";
import { type Json, list, memberOf, object, text } from "./json";
import type { Request } from "./session";
import { filled } from "./texts";
import { questionsOf, valuesOf, variablesOf, type Way } from "./values";

export { valuesOf };

const END = "end";
const MAX_ATTRIBUTES_BYTES = 4_096;

/** What a session needs of this module. A page loads it for flows that need it alone. */
export interface Logic {
  choiceOf: typeof choiceOf;
  contextOf: typeof contextOf;
  /** Return a screen with the values of the names in its texts, in the language of the page. */
  fill(flow: FlowDocument, screen: Screen, way: Way, context: Json): Screen;
  hasLogic: typeof hasLogic;
  next: typeof next;
  progress: typeof progress;
  valuesOf: typeof valuesOf;
  wayTo: typeof wayTo;
}

/** Return the logic of a session whose texts are in a language, which may change. */
export function logicIn(language: () => string): Logic {
  return {
    ...{ choiceOf, contextOf, hasLogic, next, progress, valuesOf, wayTo },
    fill: (flow, screen, way, context) => fill(flow, screen, way, context, language()),
  };
}

/** The target of a screen: null at the end of the flow; and the id of the rule that decides, null for the order. */
export interface Step {
  screenId: string | null;
  rule: string | null;
}

/** Return whether a flow has conditions or rules. */
export function hasLogic({ screens }: FlowDocument): boolean {
  return screens.some(({ showIf, next }) => showIf.length > 0 || next.length > 0);
}

/** Return a screen with the values of the names in its texts. */
export function fill(flow: FlowDocument, screen: Screen, way: Way, context: Json, language: string): Screen {
  const shown = { values: valuesOf(flow, way, context), screens: questionsOf(flow, way), language };
  return { ...screen, content: filled(screen.content, shown) };
}

/** Return the step from the last screen of the path, or to the first one of an empty path. */
export function next(flow: FlowDocument, way: Way, context: Json): Step {
  const { screens } = flow;
  const place = placeOf(flow, way.path[way.path.length - 1]);
  const values = valuesOf(flow, way, context);
  const test = (conditions: readonly Condition[]) => conditions.every((condition) => holds(condition, values));
  const goal = ({ goTo }: Json) => (text(goTo) === END ? screens.length : placeOf(flow, text(goTo)));
  const rules = list(screens[place]?.next).map(object);
  const rule = rules.find((one) => goal(one) > place && test(readConditions(one.when)));
  const target = rule ? goal(rule) : place + 1;
  const screen = screens.slice(target).find(({ showIf }) => test(readConditions(showIf)));
  return { screenId: screen?.id ?? null, rule: text(rule?.id) || null };
}

/** Return the screens that lead to a screen with what was given; those in front of it at the most. */
export function wayTo(flow: FlowDocument, given: Way, context: Json, screenId: string): string[] {
  const limit = placeOf(flow, screenId);
  const path: string[] = [];
  for (;;) {
    const at = next(flow, { ...given, path }, context).screenId;
    if (at === null || placeOf(flow, at) >= limit) {
      return path;
    }
    path.push(at);
  }
}

/** Return the share of the flow that was shown. Screens that depend on an answer not yet given may still come. */
export function progress(flow: FlowDocument, way: Way, context: Json): number {
  const values = valuesOf(flow, way, context);
  const present = placeOf(flow, way.path[way.path.length - 1]);
  const shown = countOf(flow.screens.filter(({ id }) => way.path.includes(id)));
  const comes = ({ showIf }: Screen) => {
    const conditions = readConditions(showIf);
    const waits = conditions.some(({ attribute }) => isWaiting(flow, attribute, values));
    return waits || conditions.every((condition) => holds(condition, values));
  };
  const coming = countOf(flow.screens.slice(present + 1).filter(comes));
  return shown + coming > 0 ? shown / (shown + coming) : 1;
}

/** Return whether a name depends on an answer not yet given. */
function isWaiting(flow: FlowDocument, name: string, values: Json): boolean {
  const variable = variablesOf(flow).find((one) => one.name === name);
  return variable
    ? namesIn(variable.tree).some((inner) => isWaiting(flow, inner, values))
    : name.startsWith("answers.") && memberOf(values, name) === undefined;
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
