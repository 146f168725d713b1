import { Text, type TextProps } from "@mantine/core";
import { texts } from "@/texts";

const LOCALE = "en";
const SMALLEST_SHARE = 0.001;
const WEEK_SECONDS = 7 * 24 * 3600;

const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: "auto" });
const day = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium" });
const minute = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "short" });
const exact = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "medium" });
const exactUtc = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" });
const shortDay = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "short", timeZone: "UTC" });
/** Years and other small numbers have no separator. */
const decimals = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1, useGrouping: "min2" });
const counts = new Intl.NumberFormat(LOCALE);
const percents = new Intl.NumberFormat(LOCALE, { style: "percent", maximumFractionDigits: 1 });

const signedDecimals = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1, signDisplay: "exceptZero" });
const signedPercents = new Intl.NumberFormat(LOCALE, {
  style: "percent",
  maximumFractionDigits: 1,
  signDisplay: "exceptZero",
});

/** Return a count with separators. */
export function formatCount(count: number): string {
  return counts.format(count);
}

/** Return a number with at most one decimal. */
export function formatDecimal(value: number): string {
  return decimals.format(value);
}

/** Return a fraction from 0 to 1 as a percentage; only 0 and 1 themselves are 0% and 100%. */
export function formatFraction(fraction: number): string {
  const shown = Math.min(Math.max(fraction, SMALLEST_SHARE), 1 - SMALLEST_SHARE);
  const sign = fraction > 0 && fraction < SMALLEST_SHARE ? "<" : fraction < 1 && fraction > shown ? ">" : "";
  return sign + percents.format(sign === "" ? fraction : shown);
}

/** Return a relative change as a percentage with its sign. */
export function formatLift(change: number): string {
  return signedPercents.format(change);
}

/** Return a difference of two fractions in percentage points with its sign. */
export function formatPoints(difference: number): string {
  return signedDecimals.format(difference * 100);
}

/** Return a duration in its two greatest units, such as `2 min 5 s`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 10) {
    return `${decimals.format(seconds)} s`;
  }
  const whole = Math.round(seconds);
  if (whole < 60) {
    return `${whole} s`;
  }
  const [unit, small, size] = whole < 3600 ? (["min", "s", 60] as const) : (["h", "min", 3600] as const);
  const rest = Math.floor((whole % size) / (size / 60));
  return `${Math.floor(whole / size)} ${unit}${rest > 0 ? ` ${rest} ${small}` : ""}`;
}

/** Return a UTC day such as `2026-11-20` in short. */
export function formatDay(value: string): string {
  return shortDay.format(new Date(`${value}T00:00:00Z`));
}

/** Return a date in words: relative under a week, then the day in the browser's zone. */
export function formatDate(date: Date, now = new Date()): string {
  const seconds = (date.getTime() - now.getTime()) / 1000;
  const distance = Math.abs(seconds);
  if (distance >= WEEK_SECONDS) {
    return day.format(date);
  }
  if (distance < 60) {
    return relative.format(0, "second");
  }
  if (distance < 3600) {
    return relative.format(whole(seconds / 60), "minute");
  }
  if (distance < 24 * 3600) {
    return relative.format(whole(seconds / 3600), "hour");
  }
  return relative.format(whole(seconds / (24 * 3600)), "day");
}

/** Return past units rounded down, and future units to the nearest: in 23:59 h it is "in 24 hours". */
function whole(units: number): number {
  return units < 0 ? Math.trunc(units) : Math.round(units);
}

/** Return a date with its time, in the browser's zone. */
export function formatTime(date: Date): string {
  return minute.format(date);
}

/** A point in time, relative or with its minute; hovering shows it exactly, in the browser's zone and in UTC. */
export function Time({ value, absolute = false, ...props }: { value: string; absolute?: boolean } & TextProps) {
  const date = new Date(value);
  return (
    <Text
      span
      inherit
      {...props}
      renderRoot={(root) => (
        <time {...root} dateTime={value} title={`${exact.format(date)} (${texts.ui.utc(exactUtc.format(date))})`} />
      )}
    >
      {absolute ? formatTime(date) : formatDate(date)}
    </Text>
  );
}
