import type { LogicCondition, ScreenRuleView } from "@/api/schema";
import { conditionOf, newRow } from "@/features/audience/conditions";
import { conditionOn, type Subject } from "@/features/audience/subjects";
import { conditionTexts } from "@/features/audience/texts";
import { conditionInWords } from "@/features/audience/words";
import { changeScreen, type FlowDocument, type FlowScreen, screenName } from "../document";
import { allSubjects, subjectsFor } from "./subjects";
import { logicTexts } from "./texts";

const words = logicTexts.words;

export type ScreenRule = ScreenRuleView;
/** The target of a rule that completes the flow. */
export const END = "end";
export const MAX_RULES = 20;
export const MAX_CONDITIONS = 20;

/** Return the target of a screen without rules that hold: the screen behind it, or the end. */
export function targetInOrder({ screens }: FlowDocument, screenId: string): string {
  return screens[screens.findIndex(({ id }) => id === screenId) + 1]?.id ?? END;
}

/** Return a new row of conditions: on the newest answer that a condition can read, else on the device. */
export function newConditionRow(subjects: readonly Subject[]) {
  const subject = subjects.findLast(({ attribute }) => attribute.startsWith("answers."));
  return { ...newRow(), ...(subject ? conditionOn(subject) : {}) };
}

/** Return a new rule of a screen with an id that is free in it. */
export function newRule(document: FlowDocument, screen: FlowScreen): ScreenRule {
  const { next = [] } = screen;
  const taken = new Set(next.map(({ id }) => id));
  let number = next.length + 1;
  while (taken.has(`rule_${number}`)) {
    number += 1;
  }
  const condition = conditionOf(newConditionRow(subjectsFor(document, screen.id, "next"))) as LogicCondition;
  return { id: `rule_${number}`, when: [condition], go_to: targetInOrder(document, screen.id) };
}

/** A rule whose target is not behind its screen. */
export interface WrongRule {
  screen: FlowScreen;
  rule: ScreenRule;
  isBackward: boolean;
}

function wrongRules({ screens }: FlowDocument): WrongRule[] {
  const places = new Map(screens.map(({ id }, place) => [id, place]));
  return screens.flatMap((screen, place) =>
    (screen.next ?? [])
      .filter(({ go_to }) => go_to !== END && (places.get(go_to) ?? -1) <= place)
      .map((rule) => ({ screen, rule, isBackward: places.has(rule.go_to) })),
  );
}

/** Return the rules that a change of the order, or a deletion, would break. */
export function rulesInTheWay(before: FlowDocument, after: FlowDocument): WrongRule[] {
  const wrong = new Set(wrongRules(before).map(({ screen, rule }) => `${screen.id} ${rule.id}`));
  return wrongRules(after).filter(({ screen, rule }) => !wrong.has(`${screen.id} ${rule.id}`));
}

/** Return a document without these rules. */
export function withoutRules(document: FlowDocument, rules: readonly WrongRule[]): FlowDocument {
  return rules.reduce((changed, { screen, rule }) => {
    const next = changed.screens.find(({ id }) => id === screen.id)?.next ?? [];
    return changeScreen(changed, screen.id, { next: next.filter(({ id }) => id !== rule.id) });
  }, document);
}

/** What conditions and rules are named by: the names of screens by their ids, answers and variables. */
export interface FlowNames {
  screens: ReadonlyMap<string, string>;
  subjects: readonly Subject[];
}

/** Return the names in documents. The first document with a screen names it. */
export function namesOf(...documents: FlowDocument[]): FlowNames {
  const screens = documents.flatMap((document) => document.screens).reverse();
  const subjects = documents.flatMap(allSubjects).reverse();
  return {
    screens: new Map(screens.map((screen) => [screen.id, screenName(screen)])),
    subjects: [...new Map(subjects.map((subject) => [subject.attribute, subject])).values()],
  };
}

/** Return the name of the target of a rule. */
export function targetName(target: string, { screens }: FlowNames): string {
  return target === END ? words.toEnd : (screens.get(target) ?? target);
}

/** Return conditions as one phrase, such as "Goal is “Lose weight” and country is Germany". */
export function conditionsInWords(conditions: readonly LogicCondition[], { subjects }: FlowNames): string {
  return conditionTexts.and(conditions.map((condition) => conditionInWords(condition, subjects)));
}

/** Return a rule such as "if Goal is “Lose weight”, go to Weight". */
export function ruleInWords({ when, go_to }: Pick<ScreenRule, "when" | "go_to">, names: FlowNames): string {
  const target = targetName(go_to, names);
  return when.length === 0 ? words.inAnyCase(target) : words.if(conditionsInWords(when, names), target);
}

/** Return the change of the rules of a screen: those that are new or changed, those that are gone, or their order. */
export function rulesChangeInWords(
  screen: string,
  before: readonly ScreenRule[],
  after: readonly ScreenRule[],
  names: FlowNames,
): string {
  const inWords = (rules: readonly ScreenRule[]) => rules.map((rule) => ruleInWords(rule, names));
  const [former, present] = [inWords(before), inWords(after)];
  const parts = [
    ...present.filter((rule) => !former.includes(rule)),
    ...former.filter((rule) => !present.includes(rule)).map(words.noLonger),
  ];
  return words.from(screen, parts.length > 0 ? parts.join("; ") : words.reordered(present.join("; ")));
}

/** Return the condition under which a screen is shown. */
export function showIfInWords(screen: string, conditions: readonly LogicCondition[], names: FlowNames): string {
  return conditions.length === 0
    ? words.alwaysShown(screen)
    : words.shownIf(screen, conditionsInWords(conditions, names));
}
