/** The background of a page: a colour, a gradient or a picture, and the scrim that keeps texts on it legible. */

import { contrast, css, hex, legible, MIN_CONTRAST, mix, parseColor, type Rgb } from "./color";
import { mediaFile, type Picture } from "./content";
import { list, number, object, text } from "./json";

export interface Background {
  /** The colour of the page by which its texts are chosen, as hex. Empty for a picture. */
  color: string;
  /** What lies behind the texts: the colours of a gradient, the tones of an image; black and white if unknown. */
  behind: Rgb[];
  /** The image of a gradient, as CSS. */
  image: string;
  picture: Picture | null;
  /** The share of the page's colour that the author has put on a picture. */
  overlay: number;
}

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];
/** White under the dark scrim of a cover (layouts.css). */
const COVERED: Rgb = [102, 102, 102];
/** The page of a cover, which gives its cards and fields their colours. */
const COVER = "#17171d";
/** The variables of texts that stand on the background itself. */
const TEXTS = ["--text", "--text-secondary", "--primary-text", "--danger"];

/** Return a background in the shape that devices get; null for everything else. */
export function readBackground(value: unknown): Background | null {
  const source = object(value);
  const colors = colorsOf([value, ...list(source.gradient)]);
  const [first] = colors;
  if (first) {
    const stops = colors.map(css).join(",");
    return {
      color: hex(colors.reduce((mean, color, index) => mix(mean, color, 1 / (index + 1)), first)),
      behind: colors,
      image: colors.length > 1 ? `linear-gradient(${number(source.angle) ?? 180}deg,${stops})` : "",
      picture: null,
      overlay: 0,
    };
  }
  const picture = mediaFile(value);
  const tones = colorsOf(list(source.tones));
  return (
    picture && {
      color: "",
      behind: tones[0] ? tones : [BLACK, WHITE],
      image: "",
      picture: { ...picture, position: text(source.position) || picture.position },
      overlay: Math.min(1, Math.max(0, number(source.overlay) ?? 0)),
    }
  );
}

function colorsOf(values: readonly unknown[]): Rgb[] {
  return values.map((color) => parseColor(text(color))).filter((color) => color !== null);
}

/** Return the variables of what lies between the page's colour and its texts: the gradient and the scrim on it. */
export function backgroundVariables(
  { behind, image, overlay }: Background,
  variables: Record<string, string>,
): Record<string, string> {
  if (behind.length < 2) {
    return {};
  }
  const page = rgb(variables["--background"]);
  const color = rgb(variables["--text"]);
  let share = overlay;
  let worst = hardest(color, behind, page, share);
  while (share < 1 && contrast(color, worst) < MIN_CONTRAST) {
    share = Math.min(1, share + 0.02);
    worst = hardest(color, behind, page, share);
  }
  const scrim = `rgb(${page.join(" ")} / ${share.toFixed(2)})`;
  return {
    ...legibleOn(worst, variables),
    "--scrim": scrim,
    ...(image ? { "--gradient": `linear-gradient(${scrim},${scrim}),${image}` } : {}),
  };
}

/** Return the variables of a screen whose picture fills it: dark, with texts that are legible on the scrim. */
export function coverVariables(variablesOn: (background: string) => Record<string, string>): Record<string, string> {
  const variables = variablesOn(COVER);
  return { ...variables, ...legibleOn(COVERED, variables) };
}

/** Return the colour below the scrim on which a text is the hardest to read. */
function hardest(color: Rgb, behind: readonly Rgb[], page: Rgb, share: number): Rgb {
  return behind
    .map((below) => mix(below, page, share))
    .reduce((worst, found) => (contrast(color, found) < contrast(color, worst) ? found : worst));
}

function legibleOn(background: Rgb, variables: Record<string, string>): Record<string, string> {
  return Object.fromEntries(TEXTS.map((name) => [name, css(legible(rgb(variables[name]), background))]));
}

/** Return the parts of a colour of the theme's variables. */
function rgb(color = ""): Rgb {
  return (color.match(/\d+/g) ?? []).slice(0, 3).map(Number) as Rgb;
}
