/** The pictures of a flow, loaded before their screens are shown, so that a flow needs no network after its start. */

import { options, type Picture, picture, pictureFrom } from "@onboarding/flow/content";
import { placeOf, type Screen } from "@onboarding/flow/document";
import { list, object, text } from "@onboarding/flow/json";
import { illustrationAt } from "./illustrations";
import { backgroundOf } from "./layout";
import { logoOf, SIZES, stillOf } from "./picture";
import type { Stage } from "./stage";

/** References keep the browser from dropping pictures before their screens are shown. */
const preloaded: (HTMLImageElement | null)[] = [];

type Colours = Pick<Stage, "flow" | "isDark">;

/** Load the pictures of the present screen and the next one, and those of the others when the browser is idle. */
export function preloadPictures(stage: Colours, screenId: string | null): void {
  const { screens } = stage.flow;
  const place = Math.max(0, placeOf(stage.flow, screenId));
  const load = (some: readonly Screen[]) => {
    preloaded.push(...some.flatMap((screen) => picturesOf(screen, stage)));
  };
  load(screens.slice(place, place + 2));
  const later = () => load([...screens.slice(place + 2), ...screens.slice(0, place)]);
  // Safari has no idle moments.
  (window.requestIdleCallback ?? window.setTimeout)(later);
}

/** Load the pictures of a screen in its colours, at the widths at which it shows them. */
function picturesOf(screen: Screen, stage: Colours): (HTMLImageElement | null)[] {
  const { flow } = stage;
  const { content } = screen;
  const isDark = stage.isDark(screen);
  const behind = backgroundOf({ screen, flow })?.picture;
  const load = (sizes: string, files: readonly (Picture | null | undefined)[]) =>
    files.flatMap((file) => (file ? preload((isDark && file.dark) || file, sizes) : []));
  // The HTML of another document loads nothing by itself.
  const html = new DOMParser().parseFromString(text(content.html), "text/html");
  return [
    ...load(SIZES.screen, [picture(screen, flow)]),
    ...load(
      SIZES.face,
      list(content.quotes).map((quote) => pictureFrom(object(quote).image, flow)),
    ),
    ...load(SIZES.background, [behind]),
    ...load(SIZES.logo, [logoOf(flow.theme)]),
    ...load(
      SIZES.option,
      options(content).map(({ image }) => image),
    ),
    ...[...html.images].map(({ src }) => loaded(src)),
  ];
}

function preload(file: Picture, sizes: string): HTMLImageElement | null {
  if (file.kind === "illustration") {
    illustrationAt(file.url).catch(console.error);
    return null;
  }
  return loaded(stillOf(file), file.srcset, sizes);
}

function loaded(src: string, srcset = "", sizes = ""): HTMLImageElement {
  return Object.assign(new Image(), { sizes, srcset, src });
}
