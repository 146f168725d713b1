import type { Condition, FlowView, TargetingView } from "@/api/schema";
import { texts } from "@/texts";
import { formatFraction } from "@/ui/values/format";
import type { Subject } from "./subjects";
import { audienceTexts, conditionTexts } from "./texts";

/** The prefix of the attributes that an app defines itself. */
export const CUSTOM_PREFIX = "attributes.";
/** Longer lists of values end with a count. */
const MAX_VALUES = 3;

type TargetedFlow = Pick<FlowView, "status" | "is_default" | "targeting">;

const regions = new Intl.DisplayNames("en", { type: "region" });
const languages = new Intl.DisplayNames("en", { type: "language" });

/** Return the targeting of a flow as one phrase; the share of devices is not part of it. */
export function targetingInWords(targeting: Pick<TargetingView, "conditions" | "conditions_omitted">): string {
  if (targeting.conditions_omitted) {
    return conditionTexts.manyConditions;
  }
  if (targeting.conditions.length === 0) {
    return conditionTexts.everyone;
  }
  const phrase = conditionTexts.and(targeting.conditions.map((condition) => conditionInWords(condition)));
  return phrase.charAt(0).toUpperCase() + phrase.slice(1);
}

/**
 * Return whether experiments and QA devices alone show a flow: the default flow comes before one without conditions.
 */
export function isBehindDefault(flow: TargetedFlow, defaultFlowId: string | null): boolean {
  const { conditions, conditions_omitted, percentage } = flow.targeting;
  const isForEveryone = conditions.length === 0 && !conditions_omitted && percentage === 100;
  return defaultFlowId !== null && !flow.is_default && isForEveryone;
}

/** Return who sees a flow, as one phrase. */
export function audienceInWords(flow: TargetedFlow, defaultFlowId: string | null): string {
  if (flow.status === "archived") {
    return conditionTexts.noDevice;
  }
  if (flow.is_default) {
    return conditionTexts.everyoneElse;
  }
  return isBehindDefault(flow, defaultFlowId) ? conditionTexts.onlyExperiments : targetingInWords(flow.targeting);
}

/** Return which devices get a flow, with its share of them. */
export function whoGets(flow: TargetedFlow, defaultFlowId: string | null): string {
  const audience = audienceInWords(flow, defaultFlowId);
  const hasShare = flow.status !== "archived" && !flow.is_default;
  return hasShare ? shareInWords(audience, flow.targeting.percentage) : audience;
}

/** Return an audience with the share of it that takes part, in per cent. */
export function shareInWords(audience: string, percentage: number): string {
  return percentage === 100 ? audience : audienceTexts.partOf(audience, formatFraction(percentage / 100));
}

/** Return a condition such as "app version 2.1.0 or newer"; `subjects` are the answers and variables of its flow. */
export function conditionInWords(condition: Condition, subjects: readonly Subject[] = []): string {
  const { attribute, operator } = condition;
  const subject = subjects.find((one) => one.attribute === attribute);
  if (subject) {
    return onSubjectInWords(condition, subject);
  }
  const name = attributeInWords(attribute);
  const value = "value" in condition ? valuesInWords(attribute, condition.value) : "";
  return conditionTexts.operators[operator]?.(name, value) ?? `${name} ${operator} ${value}`;
}

/** Return the name of an attribute of a device or of an app. */
export function attributeInWords(attribute: string): string {
  return attribute.startsWith(CUSTOM_PREFIX)
    ? attribute.slice(CUSTOM_PREFIX.length)
    : (conditionTexts.attributes[attribute] ?? attribute);
}

/** Return a condition on an answer, such as "Goal is “Lose weight”". */
function onSubjectInWords(condition: Condition, { attribute, label, kind, options }: Subject): string {
  const { operator } = condition;
  const inWords = (item: unknown) => {
    const option = options.find(({ value }) => value === String(item));
    return typeof item === "string" ? `“${option?.label ?? item}”` : String(item);
  };
  const value = "value" in condition ? valuesInWords(attribute, condition.value, inWords) : "";
  const phrases = kind === "choices" ? conditionTexts.listOperators : {};
  const phrase = phrases[operator] ?? conditionTexts.operators[operator];
  return phrase?.(label, value) ?? `${label} ${operator} ${value}`;
}

function valuesInWords(
  attribute: string,
  value: unknown,
  inWords: (item: unknown) => string = (item) => valueInWords(attribute, item),
): string {
  const values = Array.isArray(value) ? value : [value];
  const shown = values.slice(0, MAX_VALUES).map(inWords);
  const more = values.length - shown.length;
  return conditionTexts.or(more > 0 ? [...shown, conditionTexts.more(more)] : shown);
}

function valueInWords(attribute: string, value: unknown): string {
  const text = String(value);
  try {
    switch (attribute) {
      case "platform":
        return text === "ios" || text === "android" ? texts.ui.platforms[text] : text;
      case "country":
        return regions.of(text.toUpperCase()) ?? text;
      case "locale":
        return languages.of(text) ?? text;
      default:
        return text;
    }
  } catch {
    // Not every value is a code that Intl accepts.
    return text;
  }
}
