import type { EstimateView, ExperimentResultsView, ExperimentView, VariantResultView } from "@/api/schema";
import { formatCount, formatFraction, formatLift, formatPoints } from "@/ui/values/format";
import { experimentTexts } from "../texts";

const words = experimentTexts.verdict;

/** A sequential p-value below this is significant, however often the results are read. */
const SIGNIFICANCE_LEVEL = 0.05;
/** The lift that the number of needed users is estimated for, in per cent. */
export const TARGET_LIFT = 10;
const DAY_MILLISECONDS = 24 * 3600 * 1000;
/** An experiment that has run for fewer days has not seen all days of a week. */
const WEEK_DAYS = 7;

/** The result of an experiment in words. */
export interface Verdict {
  kind: "mismatch" | "empty" | "waiting" | "undecided" | "decided";
  title: string;
  text: string;
  /** The key of the variant to decide for. */
  best: string | null;
  /** The share of the needed users, from 0 to 1. */
  progress: number | null;
}

/** Return a p-value with two significant digits; tiny ones as a bound. */
export function formatPValue(value: number): string {
  return value < 0.001 ? "< 0.001" : String(Number(value.toPrecision(2)));
}

/** Return whether a variant differs from the control, and is better or worse; null while that is open. */
export function differenceOf(variant: VariantResultView, control: VariantResultView): "better" | "worse" | null {
  if (variant.sequential_p_value === null || variant.sequential_p_value >= SIGNIFICANCE_LEVEL) {
    return null;
  }
  return (variant.rate ?? 0) > (control.rate ?? 0) ? "better" : "worse";
}

/** Return the verdict on results: whether it is safe to decide, and for which variant. */
export function verdictOf(
  experiment: Pick<ExperimentView, "status" | "variants" | "started_at">,
  results: Pick<ExperimentResultsView, "users" | "srm" | "variants">,
  estimate: Pick<EstimateView, "users_per_variant"> | undefined,
  now = Date.now(),
): Verdict {
  const hasEnded = experiment.status === "completed";
  if (results.srm.mismatch) {
    return { kind: "mismatch", title: words.srmTitle, text: words.srmText, best: null, progress: null };
  }
  if (results.users === 0) {
    const title = hasEnded ? words.noUsersEver : words.noUsersTitle;
    return { kind: "empty", title, text: hasEnded ? "" : words.noUsersText, best: null, progress: null };
  }
  const decision = decided(experiment, results);
  if (decision) {
    return { ...decision, text: [decision.text, !hasEnded && youngInWords(experiment, now)].filter(Boolean).join(" ") };
  }
  return undecided(experiment, results, hasEnded ? undefined : estimate);
}

/** Return a hint about an experiment that has not seen a whole week; nothing for an older one. */
function youngInWords({ started_at }: Pick<ExperimentView, "started_at">, now: number): string {
  const days = started_at === null ? WEEK_DAYS : Math.floor((now - Date.parse(started_at)) / DAY_MILLISECONDS);
  if (days >= WEEK_DAYS) {
    return "";
  }
  return words.young(days < 1 ? words.lessThanADay : experimentTexts.estimate.dayCount(days));
}

type VariantNames = Pick<ExperimentView, "variants">;
type ResultVariants = Pick<ExperimentResultsView, "variants">;

function decided({ variants }: VariantNames, results: ResultVariants): Verdict | null {
  const names = new Map(variants.map(({ key, name }) => [key, name]));
  const nameOf = ({ key }: VariantResultView) => names.get(key) ?? key;
  const control = results.variants.find(({ is_control }) => is_control);
  const others = results.variants.filter(({ is_control }) => !is_control);
  if (control === undefined) {
    return null;
  }
  const [best] = others
    .filter((variant) => differenceOf(variant, control) === "better")
    .toSorted((first, second) => (second.rate ?? 0) - (first.rate ?? 0));
  if (best !== undefined) {
    const title = words.better(nameOf(best), nameOf(control));
    return { kind: "decided", title, text: liftInWords(best, control, nameOf(best)), best: best.key, progress: null };
  }
  if (others.every((variant) => differenceOf(variant, control) === "worse")) {
    const title = words.worse(nameOf(control), others.map(nameOf));
    const [only] = others;
    const text = others.length === 1 && only !== undefined ? liftInWords(only, control, nameOf(only)) : words.plain;
    return { kind: "decided", title, text, best: control.key, progress: null };
  }
  return null;
}

function liftInWords(
  { rate, lift, lift_interval }: VariantResultView,
  control: VariantResultView,
  name: string,
): string {
  if (rate === null || control.rate === null) {
    return words.plain;
  }
  const changes = words.changes(
    name,
    formatFraction(control.rate),
    formatFraction(rate),
    formatPoints(rate - control.rate),
  );
  if (lift === null || lift_interval === null) {
    return `${changes} ${words.plain}`;
  }
  const [low, high] = lift_interval;
  return `${changes} ${words.relative(formatLift(lift), formatLift(low), formatLift(high))} ${words.plain}`;
}

function undecided(
  { status, variants }: Pick<ExperimentView, "status" | "variants">,
  results: ResultVariants,
  estimate: Pick<EstimateView, "users_per_variant"> | undefined,
): Verdict {
  if (status === "completed") {
    return { kind: "undecided", title: words.endedTitle, text: "", best: null, progress: null };
  }
  const weights = new Map(variants.map(({ key, weight }) => [key, weight]));
  const counted = results.variants.filter(({ key }) => weights.get(key) !== 0);
  const users = Math.min(...counted.map((variant) => variant.users));
  const needed = estimate?.users_per_variant ?? null;
  if (needed === null) {
    return { kind: "waiting", title: words.waitTitle, text: words.waitPlain, best: null, progress: null };
  }
  const lift = formatFraction(TARGET_LIFT / 100);
  if (users >= needed) {
    return {
      kind: "undecided",
      title: words.undecidedTitle,
      text: words.undecidedText(lift),
      best: null,
      progress: null,
    };
  }
  const title = words.waitOf(formatCount(users), formatCount(needed));
  return { kind: "waiting", title, text: words.waitText(lift), best: null, progress: users / needed };
}
