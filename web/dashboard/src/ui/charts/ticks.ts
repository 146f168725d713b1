/** The height of a chart, and of its skeleton. */
export const CHART_HEIGHT = 240;

const STEPS = [1, 2, 2.5, 5, 10];

/** Return about four to seven evenly spaced round values that enclose a range. */
export function ticksOf(low: number, high: number): number[] {
  const width = high - low || 1;
  const power = 10 ** Math.floor(Math.log10(width / 4));
  const step = power * (STEPS.find((factor) => factor * power * 5 >= width) ?? 10);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(Math.ceil(high / step - 1e-9), first + 1);
  return Array.from({ length: last - first + 1 }, (_, place) => Number(((first + place) * step).toPrecision(12)));
}
