import { Group, Text } from "@mantine/core";
import classes from "./Intervals.module.css";
import { ticksOf } from "./ticks";

/** A value with its interval. */
export interface IntervalRow {
  key: string;
  label: string;
  color: string;
  value: number | null;
  interval: readonly [number, number] | null;
  /** The text in place of a missing value. */
  missing: string;
  /** The sizes behind the value, below the name. */
  sizes: string;
}

interface IntervalsProps {
  /** The comparison, for screen readers. */
  label: string;
  rows: readonly IntervalRow[];
  format: (value: number) => string;
  formatRange: (low: string, high: string) => string;
  /** A value that the axis always has and marks, such as 0 for changes. */
  origin?: number;
  /** Values and intervals beyond these limits are cut off. */
  limits: readonly [number, number];
}

/** Values with whiskers on one axis, each with its numbers as text. */
export function Intervals({ label, rows, format, formatRange, origin, limits }: IntervalsProps) {
  const ends = rows.flatMap(({ value, interval }) => (value === null ? [] : [value, ...(interval ?? [])]));
  const cut = (value: number) => Math.min(Math.max(value, limits[0]), limits[1]);
  const all = [...ends, ...(origin === undefined ? [] : [origin])].map(cut);
  const ticks = all.length === 0 ? [] : ticksOf(Math.min(...all), Math.max(...all));
  const [first = 0] = ticks;
  const last = ticks.at(-1) ?? 1;
  const place = (value: number) => `${((cut(value) - first) / (last - first)) * 100}%`;
  return (
    <figure aria-label={label} style={{ margin: 0 }}>
      <ul className={classes.rows}>
        {rows.map(({ key, label: name, color, value, interval, missing, sizes }) => (
          <li key={key} className={classes.row}>
            <Group justify="space-between" gap="xs" wrap="nowrap" mb={4}>
              <Group gap="xs" wrap="nowrap" miw={0}>
                <span className={classes.dot} style={{ background: color }} />
                <Text size="sm" truncate>
                  {name}
                </Text>
              </Group>
              {value === null ? (
                <Text size="sm" c="dimmed">
                  {missing}
                </Text>
              ) : (
                <Group gap="xs" wrap="nowrap" style={{ fontVariantNumeric: "tabular-nums", whiteSpace: "nowrap" }}>
                  <Text size="sm" fw={550}>
                    {format(value)}
                  </Text>
                  {interval && (
                    <Text fz={13} c="dimmed">
                      {formatRange(format(interval[0]), format(interval[1]))}
                    </Text>
                  )}
                </Group>
              )}
            </Group>
            <Text size="xs" c="dimmed">
              {sizes}
            </Text>
            <div className={classes.track} aria-hidden>
              {ticks.map((tick) => (
                <span
                  key={tick}
                  className={classes.grid}
                  data-origin={tick === origin || undefined}
                  style={{ left: place(tick) }}
                />
              ))}
              {value !== null && interval && (
                <span
                  className={classes.whisker}
                  data-cut-low={interval[0] < limits[0] || undefined}
                  data-cut-high={interval[1] > limits[1] || undefined}
                  style={{ left: place(interval[0]), right: `calc(100% - ${place(interval[1])})`, color }}
                />
              )}
              {value !== null && <span className={classes.mark} style={{ left: place(value), background: color }} />}
            </div>
          </li>
        ))}
      </ul>
      <div className={classes.axis} aria-hidden>
        {ticks.map((tick) => (
          <span key={tick} className={classes.tick} style={{ left: place(tick) }}>
            {format(tick)}
          </span>
        ))}
      </div>
    </figure>
  );
}
