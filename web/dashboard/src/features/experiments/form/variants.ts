import type { VariantBody } from "@/api/schema";

export const MIN_VARIANTS = 2;
export const MAX_VARIANTS = 10;
export const TOTAL_PERCENT = 100;
const CONTROL_KEY = "control";

/** A variant as a row of the form. The first one is the control. */
export interface VariantRow {
  /** Names the variant in tokens, events and results. */
  key: string;
  name: string;
  flow_id: string;
  /** The name of the flow, for the choice that shows it. */
  flow: string;
  weight: number | string;
}

/** Return whole weights that sum to 100; the first ones are the greater ones. */
export function evenWeights(count: number): number[] {
  const least = Math.floor(TOTAL_PERCENT / count);
  return Array.from({ length: count }, (_, place) => least + (place < TOTAL_PERCENT - least * count ? 1 : 0));
}

/** Return the sum of the weights; an empty one counts as 0. */
export function sumOfWeights(rows: readonly Pick<VariantRow, "weight">[]): number {
  return rows.reduce((sum, { weight }) => sum + (Number(weight) || 0), 0);
}

/** Return the rows with even weights. */
export function splitEvenly(rows: readonly VariantRow[]): VariantRow[] {
  const weights = evenWeights(rows.length);
  return rows.map((row, place) => ({ ...row, weight: weights[place] ?? 0 }));
}

function isEven(rows: readonly VariantRow[]): boolean {
  const even = evenWeights(rows.length);
  return rows.every(({ weight }, place) => weight === even[place]);
}

/** Return the rows with one more. Weights that were even stay so; others are left to the user. */
export function withVariant(rows: readonly VariantRow[]): VariantRow[] {
  const more = [...rows, newVariant(rows)];
  return isEven(rows) ? splitEvenly(more) : more;
}

/** Return the rows without one; weights that were even stay so. */
export function withoutVariant(rows: readonly VariantRow[], place: number): VariantRow[] {
  const fewer = rows.filter((_, other) => other !== place);
  return isEven(rows) ? splitEvenly(fewer) : fewer;
}

/** Return a row with another flow. Its name follows the flow's, unless it has one of its own. */
export function withFlow(row: VariantRow, flow: { id: string; name: string }): VariantRow {
  const name = row.name === "" || row.name === row.flow ? flow.name : row.name;
  return { ...row, flow_id: flow.id, flow: flow.name, name };
}

/** Return the rows of a new experiment: the default flow against another. */
export function newVariants(defaultFlow: { id: string; name: string } | null): VariantRow[] {
  const control = { key: CONTROL_KEY, name: "", flow_id: "", flow: "", weight: 0 };
  const rows = [defaultFlow === null ? control : withFlow(control, defaultFlow)];
  return splitEvenly([...rows, newVariant(rows)]);
}

function newVariant(rows: readonly VariantRow[]): VariantRow {
  const usedKeys = new Set(rows.map(({ key }) => key));
  let number = rows.length;
  while (usedKeys.has(`variant_${number}`)) {
    number += 1;
  }
  return { key: `variant_${number}`, name: "", flow_id: "", flow: "", weight: 0 };
}

/** Return the variants of a request. */
export function variantBodies(rows: readonly VariantRow[]): VariantBody[] {
  return rows.map(({ key, name, flow_id, weight }, place) => ({
    key,
    name: name.trim() || null,
    flow_id,
    weight: Number(weight),
    is_control: place === 0,
  }));
}
