/**
 * The buttons of Apple and Google, as their published rules show them: the logo, its colours, the font and its size as a share
 * of the height. On a dark page they have the dark look. The corners are those of the other buttons, which both rules allow.
 */

import { memberOf } from "@onboarding/flow/json";

interface Brand {
  /** The colours of a button on light and on dark pages: background, text, border. */
  light: [string, string, string];
  dark: [string, string, string];
  font: string;
  /** The paths of the logo: a colour, and whether it is a line in place of an area. */
  logo: [path: string, color: string, isLine?: boolean][];
  viewBox: string;
}

const HEIGHT = 48;
const BLUE = "#4285F4";

const BRANDS: Record<string, Brand> = {
  apple: {
    light: ["#000", "#fff", "#000"],
    dark: ["#fff", "#000", "#fff"],
    // 43 % of the height.
    font: `500 ${HEIGHT * 0.43}px/1.2 -apple-system, BlinkMacSystemFont, system-ui, sans-serif`,
    logo: [
      [
        "M12.2 7c-1-.1-2.300-1-3.900-1C5.300 6 2.700 8.500 2.700 12.800c0 4.400 3 10.200 5.700 10.200 1.300 0 2.200-.9 3.800-.9s2.300.9 3.800.9c2.200 0 4.300-3.500 5.200-6.500-2-.8-3.300-2.500-3.300-4.800 0-2 1-3.600 2.700-4.600-1.100-.9-2.700-1.200-4.400-1.200-1.700 0-3 1.100-4 1.100zM15.800.5c.2 1.300-.4 2.600-1.200 3.600-.8 1-2.100 1.700-3.300 1.600-.2-1.300.4-2.600 1.200-3.500.8-1 2.200-1.600 3.300-1.700z",
        "currentcolor",
      ],
    ],
    viewBox: "0 0 24 24",
  },
  google: {
    light: ["#fff", "#1f1f1f", "#747775"],
    dark: ["#131314", "#e3e3e3", "#8e918f"],
    // 14 of 40 pixels.
    font: `500 ${HEIGHT * 0.35}px/1.2 Roboto, system-ui, sans-serif`,
    logo: [
      ["M6.80 15.35A19.25 19.25 0 0 1 36.88 9.69", "#EA4335", true],
      ["M6.80 32.65A19.25 19.25 0 0 1 6.80 15.35", "#FBBC05", true],
      ["M36.63 38.53A19.25 19.25 0 0 1 6.80 32.65", "#34A853", true],
      ["M43.25 24A19.25 19.25 0 0 1 36.63 38.53", BLUE, true],
      ["M24 20h23.600q.9 4.500 0 9H24z", BLUE],
    ],
    viewBox: "0 0 48 48",
  },
};

const NAMESPACE = "http://www.w3.org/2000/svg";

/** Give a button the look of its brand, if it is one of these. Return whether it is. */
export function brand(button: HTMLElement, name: string, isDark: () => boolean): boolean {
  const found = memberOf(BRANDS, name);
  if (!found) {
    return false;
  }
  const paint = () => {
    const [background, color, borderColor] = isDark() ? found.dark : found.light;
    Object.assign(button.style, { background, color, borderColor });
  };
  paint();
  Object.assign(button.style, { font: found.font, minHeight: `${HEIGHT}px`, padding: "8px 10px", borderWidth: "1px" });
  button.classList.add("brand");
  button.addEventListener("repaint", paint);
  button.prepend(logoOf(found));
  return true;
}

function logoOf({ logo, viewBox }: Brand): Element {
  const svg = document.createElementNS(NAMESPACE, "svg");
  svg.setAttribute("viewBox", viewBox);
  svg.setAttribute("aria-hidden", "true");
  for (const [path, color, isLine] of logo) {
    const shape = document.createElementNS(NAMESPACE, "path");
    shape.setAttribute("d", path);
    Object.assign(
      shape.style,
      isLine ? { stroke: color, strokeWidth: "9.5", strokeLinecap: "butt" } : { fill: color, stroke: "none" },
    );
    svg.append(shape);
  }
  return svg;
}
