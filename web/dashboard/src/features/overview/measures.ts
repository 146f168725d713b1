import type { StatisticsView } from "@/api/schema";
import { formatCount, formatFraction, formatSeconds } from "@/ui/values/format";
import { overviewTexts } from "./texts";

/** The periods of the overview. */
export const OVERVIEW_PERIODS = ["7d", "30d", "90d"] as const;
export type OverviewPeriod = (typeof OVERVIEW_PERIODS)[number];

/** The measures of the overview. The address names the chosen one. */
export const MEASURES = ["users", "new_users", "completion_rate", "avg_completion_time"] as const;
export type Measure = (typeof MEASURES)[number];

interface MeasureDefinition {
  label: string;
  format: (value: number) => string;
  total: (overview: StatisticsView["overview"]) => number;
  /** The end of the axis, where it is known. */
  max?: number;
  /** A count, whose axis has no fractions. */
  whole: boolean;
}

export const DEFINITIONS: Record<Measure, MeasureDefinition> = {
  users: { label: overviewTexts.users, format: formatCount, total: (all) => all.total_users, whole: true },
  new_users: { label: overviewTexts.newUsers, format: formatCount, total: (all) => all.new_users, whole: true },
  completion_rate: {
    label: overviewTexts.completion,
    format: formatFraction,
    total: (all) => all.completion_rate,
    max: 1,
    whole: false,
  },
  avg_completion_time: {
    label: overviewTexts.completionTime,
    format: formatSeconds,
    total: (all) => all.avg_completion_time,
    whole: false,
  },
};

/** Return whether a measure has a value at all: a rate needs users, a duration needs a completion. */
export function isKnown(measure: Measure, statistics: StatisticsView): boolean {
  const { overview, daily_stats: days } = statistics;
  if (measure === "completion_rate") {
    return overview.total_users > 0;
  }
  return measure !== "avg_completion_time" || days.some((day) => day.completions > 0);
}

/** Return a measure by day; null on days that have no value. */
export function byDay(measure: Measure, statistics: StatisticsView): { date: string; value: number | null }[] {
  return statistics.daily_stats.map((day) => ({
    date: day.date,
    value: measure === "completion_rate" && day.users === 0 ? null : (day[measure] ?? null),
  }));
}
