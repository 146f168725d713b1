import "@mantine/charts/styles.css";
import { BarChart } from "@mantine/charts";
import type { TrendSeries } from "./TrendChart";

interface BarsProps {
  /** The measure, for screen readers. */
  label: string;
  /** An object for each bar: `name`, and the values of the series. */
  rows: Record<string, string | number | null>[];
  series: TrendSeries[];
  format: (value: number) => string;
  /** Whether the bars of several series are stacked. */
  stacked?: boolean;
  /** The end of the axis, such as 1 for fractions; by default the greatest value. */
  max?: number;
}

const BAR_HEIGHT = 20;
const GAP = 16;

/** Values by category, as horizontal bars from 0. */
export function Bars({ label, rows, series, format, stacked, max }: BarsProps) {
  return (
    <figure aria-label={label} style={{ margin: 0 }}>
      <BarChart
        h={rows.length * ((stacked ? 1 : series.length) * BAR_HEIGHT + GAP) + 32 + (series.length > 1 ? 32 : 0)}
        data={rows}
        dataKey="name"
        orientation="vertical"
        type={stacked ? "stacked" : "default"}
        series={series.map((entry) => ({ color: "accent.6", ...entry }))}
        valueFormatter={format}
        withLegend={series.length > 1}
        gridAxis="y"
        tickLine="none"
        strokeDasharray="0"
        maxBarWidth={20}
        xAxisProps={{ allowDecimals: max !== undefined, domain: [0, max ?? "auto"] }}
        yAxisProps={{ width: 140, interval: 0, tickFormatter: shorten }}
        barProps={{ isAnimationActive: false, radius: stacked ? 0 : 4 }}
      />
    </figure>
  );
}

function shorten(name: string): string {
  return name.length > 20 ? `${name.slice(0, 19)}…` : name;
}
