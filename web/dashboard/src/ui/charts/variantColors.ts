/** The control is grey. The others have the colours of Okabe and Ito, which are safe for colour-blind people. */
const CONTROL = "#8a8a94";
const COLORS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#f0e442"];

/** Return the colour of a variant by its place among all; the control is the first. */
export function variantColor(place: number): string {
  return place === 0 ? CONTROL : (COLORS[(place - 1) % COLORS.length] ?? CONTROL);
}

/** Return the colour of each variant by its key, wherever the control stands. */
export function variantColors(variants: readonly { key: string; is_control: boolean }[]): ReadonlyMap<string, string> {
  const ordered = variants.toSorted((first, second) => Number(second.is_control) - Number(first.is_control));
  return new Map(ordered.map(({ key }, place) => [key, variantColor(place)]));
}
