import { Skeleton } from "@mantine/core";
import { type ComponentProps, lazy, Suspense } from "react";
import { CHART_HEIGHT } from "./ticks";

/** The longest wait for an idle browser. */
const MAX_WAIT_MILLISECONDS = 1_000;

// Recharts is the largest chunk. Views without charts never fetch it. The others show their numbers and tables first,
// and fetch it when the browser is idle.
const LazyTrendChart = lazy(async () => {
  await untilIdle();
  return { default: (await import("./TrendChart")).TrendChart };
});
const LazyBars = lazy(async () => {
  await untilIdle();
  return { default: (await import("./Bars")).Bars };
});

/** Wait until the browser has shown the view. Older versions of Safari have no `requestIdleCallback`. */
function untilIdle(): Promise<unknown> {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in window) {
      requestIdleCallback(resolve, { timeout: MAX_WAIT_MILLISECONDS });
    } else {
      setTimeout(resolve);
    }
  });
}

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
