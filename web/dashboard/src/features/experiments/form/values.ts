import * as z from "zod/mini";
import type { ExperimentCreateBody, ExperimentView } from "@/api/schema";
import {
  type ConditionRow,
  conditionFieldNames,
  conditionOf,
  conditionRows,
  rowOf,
} from "@/features/audience/conditions";
import { STEPS, type Step } from "../searches";
import { experimentTexts } from "../texts";
import { newVariants, sumOfWeights, TOTAL_PERCENT, type VariantRow, variantBodies } from "./variants";

const words = experimentTexts.form;

/** The values of the form. */
export interface ExperimentValues extends Record<string, unknown> {
  name: string;
  hypothesis: string;
  primary_event: string;
  variants: VariantRow[];
  conditions: ConditionRow[];
  traffic_percentage: number | string;
  /** The entity tag of the draft that was read; a new experiment has none. */
  etag?: string | null;
}

const EVENT_TYPE = /^[a-z][a-z0-9_.]{0,63}$/;
/** Suggested primary events, which hosted pages and SDKs report. */
export const GOALS = [
  "flow_completed",
  "purchase",
  "trial_started",
  "paywall_purchase_chosen",
  "signup_chosen",
  "permission_granted",
];

/** Return whether the service takes a text as the type of an event. */
export function isEventType(text: string): boolean {
  return EVENT_TYPE.test(text);
}

const percentage = z
  .number(words.trafficRange)
  .check(z.minimum(0, words.trafficRange), z.maximum(TOTAL_PERCENT, words.trafficRange));

const weight = z
  .int(words.weightRange)
  .check(z.minimum(0, words.weightRange), z.maximum(TOTAL_PERCENT, words.weightRange));

const members = {
  idea: {
    name: z.string().check(z.trim(), z.minLength(1, words.nameLength), z.maxLength(100, words.nameLength)),
    hypothesis: z.string().check(z.maxLength(1000, words.hypothesisLength)),
    primary_event: z.string().check(z.regex(EVENT_TYPE, words.goalPattern)),
  },
  variants: {
    variants: z
      .array(
        z.object({
          name: z.string().check(z.maxLength(100, words.nameLength)),
          flow_id: z.string().check(z.minLength(1, words.flowMissing)),
          weight,
        }),
      )
      .check(
        z.refine((rows) => sumOfWeights(rows) === TOTAL_PERCENT, {
          error: ({ input }) => words.sumWrong(`${sumOfWeights(input as VariantRow[])}%`),
        }),
      ),
  },
  audience: { conditions: conditionRows, traffic_percentage: percentage },
};

/** The schemas of the steps with fields. */
export const STEP_SCHEMAS = {
  idea: z.object(members.idea),
  variants: z.object(members.variants),
  audience: z.object(members.audience),
};

export const schema = z.object({ ...members.idea, ...members.variants, ...members.audience });

/** The fields of the form by their names in the interface, where those differ. */
export const FIELD_NAMES = conditionFieldNames("audience.conditions");

/** Return the errors of the fields of a step by their paths. */
export function errorsOf(step: Step, values: ExperimentValues): Record<string, string> {
  const found = step === "check" ? schema.safeParse(values) : STEP_SCHEMAS[step].safeParse(values);
  const errors: Record<string, string> = {};
  for (const { path, message } of found.error?.issues ?? []) {
    errors[path.join(".")] ??= message;
  }
  return errors;
}

/** Return the step that has the field with a path. */
export function stepOf(path: string): Step {
  const [field = ""] = path.split(".");
  return STEPS.find((step) => step !== "check" && field in members[step]) ?? "check";
}

/** Return the values of a new experiment. */
export function newValues(defaultFlow: { id: string; name: string } | null): ExperimentValues {
  return {
    name: "",
    hypothesis: "",
    primary_event: "flow_completed",
    variants: newVariants(defaultFlow),
    conditions: [],
    traffic_percentage: TOTAL_PERCENT,
  };
}

/** Return the values of a draft; the control comes first. */
export function valuesOf(experiment: ExperimentView, flowNames: ReadonlyMap<string, string>): ExperimentValues {
  const variants = experiment.variants.toSorted(
    (first, second) => Number(second.is_control) - Number(first.is_control),
  );
  return {
    name: experiment.name,
    hypothesis: experiment.hypothesis ?? "",
    primary_event: experiment.primary_event,
    variants: variants.map(({ key, name, flow_id, weight: share }) => ({
      key,
      name,
      flow_id,
      flow: flowNames.get(flow_id) ?? name,
      weight: share,
    })),
    conditions: experiment.audience.conditions.map(rowOf),
    traffic_percentage: experiment.traffic_percentage,
  };
}

/** Return the body of a request without the project. */
export function bodyOf(values: ExperimentValues): Omit<ExperimentCreateBody, "projectId" | "project_id"> {
  return {
    name: values.name.trim(),
    hypothesis: values.hypothesis.trim() || null,
    primary_event: values.primary_event,
    variants: variantBodies(values.variants),
    audience: { conditions: values.conditions.map(conditionOf) },
    traffic_percentage: Number(values.traffic_percentage),
  };
}
