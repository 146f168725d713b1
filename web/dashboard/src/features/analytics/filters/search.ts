import type { EventPlatform, GroupBy, Period } from "@/api/schema";
import { PLATFORMS } from "@/ui/platforms";
import { oneOf, textOf } from "@/ui/search";

/** The periods that the views of the analytics offer; all end today. */
export const PERIODS = ["1d", "7d", "30d", "90d"] as const satisfies Period[];
const DEFAULT_PERIOD: Period = "30d";
const DAY_MILLISECONDS = 24 * 3600 * 1000;
/** The service has no earlier days. */
const FIRST_DAY = "2000-01-01";

const id = textOf((text) => text.length > 0 && text.length <= 128);
const day = textOf(isDay);

/** The filters in the address that the views of the analytics share; an invalid one counts as absent. */
export const analyticsSearch = {
  period: oneOf(PERIODS),
  from: day,
  to: day,
  flowId: id,
  experimentId: id,
};

export const platformSearch = { platform: oneOf(PLATFORMS) };

/** The service says which event types there cannot be. */
export const eventTypeSearch = { eventType: textOf((text) => text !== "") };

/** The groups of the counts, in the order of their menu. */
export const ANALYTICS_GROUPS = [
  "day",
  "event_type",
  "flow",
  "screen",
  "variant",
  "platform",
  "locale",
] as const satisfies GroupBy[];

export interface AnalyticsSearch {
  period?: Period;
  from?: string;
  to?: string;
  flowId?: string;
  experimentId?: string;
  platform?: EventPlatform;
  eventType?: string;
}

/** The days of a view in the terms of the interface: a period, or the first and the last day. */
export type Dates = { period: Period } | { from: string; to: string };

/** Return the days of the filters. Days without an order or a partner count as absent. */
export function datesOf({ period, from, to }: AnalyticsSearch): Dates {
  return from && to && from <= to ? { from, to } : { period: period ?? DEFAULT_PERIOD };
}

/** Return the first and the last day of a period that ends today, in UTC. */
export function daysOfPeriod(period: Period, now = new Date()): { from: string; to: string } {
  const first = new Date(now.getTime() - (Number.parseInt(period, 10) - 1) * DAY_MILLISECONDS);
  return { from: asDay(first), to: asDay(now) };
}

/** Return the first and the last day of an experiment, in UTC. */
export function daysOfExperiment(startedAt: string, endedAt: string | null, now = new Date()) {
  return { from: asDay(new Date(startedAt)), to: asDay(endedAt === null ? now : new Date(endedAt)) };
}

/** Return whether a text is a day that the service accepts: `2026-11-20`. */
export function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return text >= FIRST_DAY && !Number.isNaN(date.getTime()) && asDay(date) === text;
}

function asDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** The filters that stay when another view of the analytics is opened. */
export function keptFilters({ period, from, to, flowId }: Pick<AnalyticsSearch, "period" | "from" | "to" | "flowId">) {
  return { period, from, to, flowId };
}
