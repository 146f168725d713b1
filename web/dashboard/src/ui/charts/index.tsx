import { Skeleton } from "@mantine/core";
import { type ComponentProps, lazy, Suspense } from "react";

/** The charts: recharts is a chunk of its own, which views without charts never fetch. */
const LazyTrendChart = lazy(async () => ({ default: (await import("./TrendChart")).TrendChart }));
const LazyBars = lazy(async () => ({ default: (await import("./Bars")).Bars }));

export const CHART_HEIGHT = 240;

/** Values by day, as lines. */
export function TrendChart(props: ComponentProps<typeof LazyTrendChart>) {
  return (
    <Suspense fallback={<ChartSkeleton />}>
      <LazyTrendChart {...props} />
    </Suspense>
  );
}

/** Values by category, as bars. */
export function Bars(props: ComponentProps<typeof LazyBars>) {
  return (
    <Suspense fallback={<ChartSkeleton />}>
      <LazyBars {...props} />
    </Suspense>
  );
}

/** The shape of a chart while it loads. */
export function ChartSkeleton() {
  return <Skeleton height={CHART_HEIGHT} aria-busy="true" />;
}
