/** The pictures of a flow, loaded before their screens are shown, so that a flow needs no network after its start. */

import { options, type Picture, pictures } from "@onboarding/flow/content";
import { type FlowDocument, placeOf, type Screen } from "@onboarding/flow/document";
import { illustrationAt } from "./illustrations";
import { backgroundOf } from "./layout";

/** References keep the browser from dropping pictures before their screens are shown. */
const preloaded: (HTMLImageElement | null)[] = [];

/** Load the pictures of the present screen and the next one, and those of the others when the browser is idle. */
export function preloadPictures(flow: FlowDocument, screenId: string | null): void {
  const place = Math.max(0, placeOf(flow, screenId));
  const load = (screens: readonly Screen[]) => {
    preloaded.push(...screens.flatMap((screen) => filesOf(screen, flow)).map(preload));
  };
  load(flow.screens.slice(place, place + 2));
  const later = () => load([...flow.screens.slice(place + 2), ...flow.screens.slice(0, place)]);
  // Safari has no idle moments.
  (window.requestIdleCallback ?? window.setTimeout)(later);
}

function filesOf(screen: Screen, flow: FlowDocument): Picture[] {
  const behind = backgroundOf({ screen, flow })?.picture;
  const ofOptions = options(screen.content).flatMap(({ image }) => image ?? []);
  return [...pictures(screen, flow), ...(behind ? [behind] : []), ...ofOptions];
}

function preload(file: Picture): HTMLImageElement | null {
  if (file.kind === "illustration") {
    illustrationAt(file.url).catch(console.error);
    return null;
  }
  const image = new Image();
  image.sizes = "100vw";
  image.srcset = file.srcset;
  image.src = file.poster || file.url;
  return image;
}
