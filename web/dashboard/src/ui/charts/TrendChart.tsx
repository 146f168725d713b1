import "@mantine/charts/styles.css";
import { AreaChart } from "@mantine/charts";
import { formatDay } from "../format";
import { CHART_HEIGHT } from ".";

export interface TrendSeries {
  name: string;
  label: string;
  color?: string;
}

interface TrendChartProps {
  /** What the chart measures, for screen readers. */
  label: string;
  /** One object a day; `date` is the day, the others are the values of the series. A day without a value has null. */
  days: Record<string, string | number | null>[];
  series: TrendSeries[];
  format: (value: number) => string;
  /** The end of the axis, where it is known: 1 for fractions. */
  max?: number;
  whole?: boolean;
}

/** Values by day. The axis begins at 0. */
export function TrendChart({ label, days, series, format, max, whole }: TrendChartProps) {
  return (
    <figure aria-label={label} style={{ margin: 0 }}>
      <AreaChart
        h={CHART_HEIGHT}
        data={days}
        dataKey="date"
        series={series.map((one) => ({ color: "accent.6", ...one }))}
        valueFormatter={format}
        curveType="linear"
        strokeWidth={2}
        fillOpacity={series.length === 1 ? 0.12 : 0}
        withGradient={false}
        withDots={days.length === 1}
        withLegend={series.length > 1}
        legendProps={{ itemSorter: null }}
        connectNulls={false}
        gridAxis="x"
        tickLine="none"
        strokeDasharray="0"
        xAxisProps={{ tickFormatter: formatDay, minTickGap: 32, interval: "preserveStartEnd" }}
        yAxisProps={{ domain: [0, max ?? "auto"], allowDecimals: !whole, width: 56, tickCount: 5 }}
        tooltipProps={{ labelFormatter: (day) => (typeof day === "string" ? formatDay(day) : "") }}
        areaProps={{ isAnimationActive: false }}
      />
    </figure>
  );
}
