import type { ExperimentStatus } from "@/api/schema";
import type { Tone } from "@/ui/values/StatusBadge";

/** The statuses in the order of the filter. */
export const EXPERIMENT_STATUSES = ["running", "paused", "draft", "completed"] as const satisfies ExperimentStatus[];

export const STATUS_TONES: Record<ExperimentStatus, Tone> = {
  draft: "neutral",
  running: "good",
  paused: "warning",
  completed: "neutral",
};

export const EXPERIMENT_SORTS = ["name", "-name", "created_at", "-created_at", "updated_at", "-updated_at"] as const;
export type ExperimentSort = (typeof EXPERIMENT_SORTS)[number];

/** The steps of the form; the address names the present one. */
export const STEPS = ["idea", "variants", "audience", "check"] as const;
export type Step = (typeof STEPS)[number];

/** The measures of results by day. */
export const DAY_MEASURES = ["users", "conversions"] as const;
export type DayMeasure = (typeof DAY_MEASURES)[number];
