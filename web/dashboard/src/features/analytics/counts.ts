import type { AnalyticsView, GroupBy } from "@/api/schema";
import { texts } from "@/texts";
import { formatDay } from "@/ui/values/format";
import { analyticsTexts } from "./texts";

export type CountRow = AnalyticsView["rows"][number];

/** The service returns at most so many groups; days have no limit. */
export const MAX_GROUPS = 1000;
/** More bars are no picture; the table has all groups. */
const MAX_BARS = 12;

/** Return the value that a row is grouped by; null where events do not report it. */
export function groupOf(by: GroupBy, row: CountRow): string | null {
  const values = {
    day: row.date,
    event_type: row.event_type,
    flow: row.flow_id,
    screen: row.screen_id,
    variant: row.variant,
    platform: row.platform,
    locale: row.locale,
  };
  return values[by] ?? null;
}

/** Return the name of a group for people; `names` has those of flows and screens by their ids. */
export function groupName(by: GroupBy, row: CountRow, names: ReadonlyMap<string, string>): string {
  const group = groupOf(by, row);
  if (group === null) {
    return analyticsTexts.unknown;
  }
  if (by === "day") {
    return formatDay(group);
  }
  return by === "platform" && (group === "ios" || group === "android")
    ? texts.ui.platforms[group]
    : (names.get(group) ?? group);
}

/** Return the rows of the chart, for days with the date of each. */
export function chartRows(
  { group_by: by, rows }: Pick<AnalyticsView, "group_by" | "rows">,
  names: ReadonlyMap<string, string>,
): Record<string, string | number>[] {
  const shown = by === "day" ? rows : rows.slice(0, MAX_BARS);
  return shown.map((row) => ({
    ...(by === "day" ? { date: row.date ?? "" } : { name: groupName(by, row, names) }),
    events: row.events,
    users: row.users,
  }));
}
