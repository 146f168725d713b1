/** The screens of a flow and the ways between them, as the map and its list show them. */

import type { LogicCondition } from "@/api/schema";
import { formatCount, formatFraction } from "@/ui/values/format";
import { type FlowDocument, screenName, typeName } from "../document";
import type { FieldErrors } from "../form/problems";
import { conditionsInWords, END, namesOf } from "../logic/rules";
import { logicTexts } from "../logic/texts";
import { type FlowUsers, START, type UserShare } from "./users";

export { START } from "./users";

export interface MapScreen {
  id: string;
  name: string;
  type: string;
  /** The condition under which it is shown, in words; null for a screen that is always shown. */
  showIf: string | null;
  isReachable: boolean;
  /** The users who left the live flow here in the chosen period. */
  lost?: UserShare;
  errors: readonly string[];
  warnings: readonly string[];
}

/**
 * A way from a screen to another one: by a rule, by the order, or past screens whose conditions do not hold. `label` is
 * the condition of the rule in words.
 */
export interface Arrow {
  id: string;
  from: string;
  to: string;
  kind: "rule" | "order" | "past";
  /** The id of the rule. */
  rule: string | null;
  label: string;
  /** The users who went this way in the chosen period. */
  users?: UserShare;
}

export interface FlowGraph {
  screens: readonly MapScreen[];
  arrows: readonly Arrow[];
}

/** Return the map of a document. */
export function graphOf(document: FlowDocument, errors: FieldErrors, warnings: FieldErrors): FlowGraph {
  const names = namesOf(document);
  const inWords = (conditions: readonly LogicCondition[]) => conditionsInWords(conditions, names);
  const { screens } = document;
  const places = new Map(screens.map(({ id }, place) => [id, place]));
  const idAt = (place: number) => screens[place]?.id ?? END;
  const arrows = new Map<string, Arrow>();

  /** Add the arrows of a step to a place: to its screen, and past it where that screen can be passed over. */
  const addStep = (from: string, target: number, step: Pick<Arrow, "kind" | "rule" | "label">) => {
    for (let place = target; place <= screens.length; place += 1) {
      const { kind, rule, label } = place === target ? step : ({ kind: "past", rule: step.rule, label: "" } as const);
      const id = `${from} ${idAt(place)} ${kind === "rule" ? rule : ""}`;
      const known = arrows.get(`${from} ${idAt(place)} `);
      // One arrow without words between two screens is enough.
      if (!arrows.has(id) && !(kind === "past" && known)) {
        arrows.set(id, { id, from, to: idAt(place), kind, rule, label });
      }
      if ((screens[place]?.show_if ?? []).length === 0) {
        return;
      }
    }
  };

  addStep(START, 0, { kind: "order", rule: null, label: "" });
  for (const [place, { id, next = [] }] of screens.entries()) {
    let isDecided = false;
    for (const { id: rule, when, go_to } of next) {
      const target = go_to === END ? screens.length : (places.get(go_to) ?? -1);
      if (target > place && !isDecided) {
        isDecided = when.length === 0;
        const label = isDecided ? logicTexts.inAnyCase : inWords(when);
        addStep(id, target, { kind: "rule", rule, label });
      }
    }
    if (!isDecided) {
      addStep(id, place + 1, { kind: "order", rule: null, label: "" });
    }
  }

  const all = [...arrows.values()];
  const reached = new Set([START]);
  // Arrows lead forward only, so that one pass in the order of the screens is enough.
  for (const { from, to } of all) {
    if (reached.has(from)) {
      reached.add(to);
    }
  }
  return {
    screens: screens.map((screen) => ({
      id: screen.id,
      name: screenName(screen),
      type: typeName(screen.type),
      showIf: screen.show_if?.length ? inWords(screen.show_if) : null,
      isReachable: reached.has(screen.id),
      errors: [...(errors.get(screen.id)?.values() ?? [])],
      warnings: [...(warnings.get(screen.id)?.entries() ?? [])].flatMap(([field, message]) =>
        // The map finds out by itself which screens no path leads to.
        field === "" && message === logicTexts.problems.UNREACHABLE_SCREEN ? [] : [message],
      ),
    })),
    arrows: all,
  };
}

/** Return a map with users on its arrows, and their loss on its screens. */
export function withUsers({ screens, arrows }: FlowGraph, users: FlowUsers | null): FlowGraph {
  const found = <Key extends string>(key: Key, share: UserShare | undefined) =>
    (share ? { [key]: share } : {}) as Partial<Record<Key, UserShare>>;
  return {
    screens: screens.map((screen) => ({ ...screen, ...found("lost", users?.lost.get(screen.id)) })),
    arrows: arrows.map((arrow) => ({ ...arrow, ...found("users", users?.arrows.get(arrow.id)) })),
  };
}

/** Return users and their share, such as "62% · 1,240". */
export function shareInWords({ users, share }: UserShare): string {
  return `${formatFraction(share)} · ${formatCount(users)}`;
}

/** Return the problems of a screen in words. */
export function marksOf({ isReachable, errors, warnings }: MapScreen): string[] {
  const unreachable = logicTexts.problems.UNREACHABLE_SCREEN ?? "";
  return [...errors, ...(isReachable ? [] : [unreachable]), ...warnings];
}
