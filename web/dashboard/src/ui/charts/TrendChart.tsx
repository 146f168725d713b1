import "@mantine/charts/styles.css";
import { AreaChart } from "@mantine/charts";
import { Text } from "@mantine/core";
import { texts } from "@/texts";
import { formatDay } from "@/ui/values/format";
import { CHART_HEIGHT } from "./ticks";

export interface TrendSeries {
  name: string;
  label: string;
  color?: string;
}

interface TrendChartProps {
  /** The measure, for screen readers. */
  label: string;
  /** An object for each day: `date`, and the values of the series, which are null on days without one. */
  days: Record<string, string | number | null>[];
  series: TrendSeries[];
  format: (value: number) => string;
  /** The end of the axis, such as 1 for fractions; by default the greatest value. */
  max?: number;
  /** Whether the axis has integers only. */
  integers?: boolean;
}

/** Values by day in UTC. The axis begins at 0. */
export function TrendChart({ label, days, series, format, max, integers: whole }: TrendChartProps) {
  return (
    <figure aria-label={label} style={{ margin: 0 }}>
      <AreaChart
        h={CHART_HEIGHT}
        data={days}
        dataKey="date"
        series={series.map((entry) => ({ color: "accent.6", ...entry }))}
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
        tooltipProps={{ labelFormatter: (day) => (typeof day === "string" ? texts.ui.utc(formatDay(day)) : "") }}
        areaProps={{ isAnimationActive: false }}
      />
      <Text component="figcaption" size="xs" c="dimmed" ta="right">
        {texts.charts.utcDays}
      </Text>
    </figure>
  );
}
