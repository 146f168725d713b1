import type { EstimateView } from "@/api/schema";
import { formatCount, formatFraction } from "@/ui/values/format";
import { experimentTexts } from "../texts";

const words = experimentTexts.estimate;
/** Experiments of more days are worth a second thought. */
const LONG_DAYS = 60;

/** The parts of an experiment that its duration depends on. */
export interface Plan {
  goal: string;
  traffic: number;
  smallestWeight: number;
  hasConditions: boolean;
}

/** Return an estimate in words: the days, or null if they are unknown, and the reasons. */
export function estimateInWords(estimate: EstimateView, plan: Plan): { days: string | null; reasons: string[] } {
  const { users_per_day: perDay, baseline_rate: rate, users_per_variant: users, days } = estimate;
  if (plan.traffic === 0 || plan.smallestWeight === 0) {
    return { days: null, reasons: [words.noTraffic] };
  }
  if (perDay === 0 || rate === null) {
    return { days: null, reasons: [words.noUsers] };
  }
  if (users === null || days === null) {
    return { days: null, reasons: [rate === 0 ? words.never(plan.goal) : words.tooHigh(formatFraction(rate))] };
  }
  const perDayInWords = perDay < 1 ? words.lessThanOne : formatCount(Math.round(perDay));
  const reasons = [words.because(formatCount(users), perDayInWords, formatFraction(rate), plan.goal)];
  if (plan.hasConditions) {
    reasons.push(words.audience);
  }
  reasons.push(days > LONG_DAYS ? words.long : words.weeks);
  return { days: words.days(words.dayCount(days)), reasons };
}
