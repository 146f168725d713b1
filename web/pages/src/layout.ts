/** The layout of a screen: where its picture and its texts stand (docs/hosted-pages.md, Layouts). */

import { type Background, readBackground } from "@onboarding/flow/background";
import { picture } from "@onboarding/flow/content";
import { object, text } from "@onboarding/flow/json";
import { h } from "./dom";
import { image, SIZES, shownPicture } from "./picture";
import type { ScreenContext } from "./screens/screen";

/** The picture or the large icon of a screen, among its texts. */
const INNER = ":scope > .picture, :scope > .hero";

type Shown = Pick<ScreenContext, "screen" | "flow">;

/** Return the background of a screen, or that of its theme; null for a colour of the theme's colours. */
export function backgroundOf({ screen, flow }: Shown): Background | null {
  const { settings, content } = screen;
  const { background_color, backgroundColor } = settings;
  const color = text(background_color, backgroundColor, content.background_color, object(content.colors).background);
  return [settings.background, content.background, color, flow.theme.background].reduce<Background | null>(
    (found, value) => found ?? readBackground(value),
    null,
  );
}

/** Return whether the picture of a screen fills it, with the texts on a scrim. */
export function isCovered({ screen, flow }: Shown, background: Background | null): boolean {
  return screen.settings.layout === "cover" && Boolean(background?.picture ?? picture(screen, flow));
}

/**
 * Arrange the frame of a screen: take the picture out of its texts, and lay that of the background behind them. A layout
 * without its picture is the standard one.
 */
export function arrange(frame: HTMLElement, context: ScreenContext, background: Background | null): void {
  const { screen, isDark } = context;
  const layout = text(screen.settings.layout);
  const main = frame.querySelector("main");
  const covers = isCovered(context, background);
  const put = (name: string, shown: Element | null | undefined) =>
    shown && frame.prepend(h("div", { class: name }, shown));
  const own = main?.querySelector(INNER);
  if (background?.picture) {
    put(covers ? "media" : "backdrop", shownPicture(background.picture, isDark(), SIZES.background));
  } else if (covers) {
    put("media", own ?? image(context));
  }
  if (layout === "hero" || layout === "split_top") {
    put("media", own ?? image(context));
  }
  const hasMedia = frame.querySelector(":scope > .media") !== null;
  frame.dataset.layout = hasMedia || layout === "centered" ? layout : "standard";
  frame.toggleAttribute("data-half", hasMedia && !covers);
  frame.toggleAttribute("data-behind", (background?.behind.length ?? 0) > 1);
  const inner = main?.querySelector(INNER);
  inner?.setAttribute("data-inner", "");
  frame.toggleAttribute("data-beside", Boolean(inner) && frame.dataset.layout === "standard");
}
