import "@mantine/charts/styles.css";
import { BarChart } from "@mantine/charts";
import type { TrendSeries } from "./TrendChart";

interface BarsProps {
  /** What the chart measures, for screen readers. */
  label: string;
  /** One object a bar: `name`, and the values of the series. */
  rows: Record<string, string | number | null>[];
  series: TrendSeries[];
  format: (value: number) => string;
  /** Bars of several series stand on each other. */
  stacked?: boolean;
}

const BAR_HEIGHT = 36;

/** Values by category, as horizontal bars from 0. */
export function Bars({ label, rows, series, format, stacked }: BarsProps) {
  return (
    <figure aria-label={label} style={{ margin: 0 }}>
      <BarChart
        h={rows.length * BAR_HEIGHT + 32 + (series.length > 1 ? 32 : 0)}
        data={rows}
        dataKey="name"
        orientation="vertical"
        type={stacked ? "stacked" : "default"}
        series={series.map((one) => ({ color: "accent.6", ...one }))}
        valueFormatter={format}
        withLegend={series.length > 1}
        gridAxis="y"
        tickLine="none"
        strokeDasharray="0"
        maxBarWidth={20}
        xAxisProps={{ allowDecimals: false }}
        yAxisProps={{ width: 140, interval: 0, tickFormatter: shorten }}
        barProps={{ isAnimationActive: false, radius: stacked ? 0 : 4 }}
      />
    </figure>
  );
}

function shorten(name: string): string {
  return name.length > 20 ? `${name.slice(0, 19)}…` : name;
}
