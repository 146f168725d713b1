/** Pictures, animations and videos of a screen. */

import { mediaFile, type Picture, picture } from "@onboarding/flow/content";
import type { Json } from "@onboarding/flow/json";
import { h } from "./dom";
import { illustrate } from "./illustrations";
import type { ScreenContext } from "./screens/screen";

/** How wide pictures are shown, as browsers read it. Those that are loaded in advance need the same widths. */
export const SIZES = {
  screen: "(min-width: 640px) 480px, 100vw",
  option: "(min-width: 640px) 240px, 50vw",
  background: "100vw",
  face: "40px",
  logo: "160px",
};

/** Functions that show a picture again, for another colour scheme. */
const darkPartners = new WeakMap<Element, (isDark: boolean) => HTMLElement>();

/**
 * Return the picture of a screen in reserved space, which is removed if the picture cannot be loaded; null without one.
 * What moves shows its poster where the system asks for less motion.
 */
export function image({ screen, flow, isDark }: ScreenContext): HTMLElement | null {
  const found = picture(screen, flow);
  return found && shownPicture(found, isDark(), SIZES.screen);
}

/** Return a file in reserved space, at `sizes` as browsers read them. */
export function shownPicture(found: Picture, isDark: boolean, sizes: string): HTMLElement {
  if (found.kind === "illustration") {
    const box = h("div", { class: "picture drawn" });
    illustrate(box, found.url).catch(() => removePicture(box));
    return box;
  }
  const file = (isDark && found.dark) || found;
  const { kind, url, srcset, alt, position } = file;
  // An address alone says nothing about its size.
  const { width = 400, height = 300 } = file;
  const of = { sizes: srcset ? sizes : null, srcset: srcset || null, src: stillOf(file) };
  const still = kind === "video" && moves() ? null : h("img", { alt, ...of, decoding: "async", width, height });
  const shown = still ?? video(file);
  shown.style.aspectRatio = `${width} / ${height}`;
  shown.style.objectPosition = position;
  const box = h("div", { class: "picture" }, shown);
  if (found.dark) {
    darkPartners.set(box, (dark) => shownPicture(found, dark, sizes));
  }
  box.style.background = file.placeholder;
  const show = () => box.classList.add("loaded");
  if (!still || (still.complete && still.naturalWidth > 0)) {
    show();
  }
  still?.addEventListener("load", show);
  still?.addEventListener("error", () => removePicture(box));
  if (kind === "lottie" && moves()) {
    // Without the player, the poster stays.
    import("./screens/lottie").then(({ play }) => play(box, url)).catch(console.error);
  }
  return box;
}

/** Return the address of what an image shows: an animation moves by itself, other files have a poster. */
export function stillOf({ kind, url, poster }: Picture): string {
  return (kind === "animation" && moves() ? "" : poster) || url;
}

function moves(): boolean {
  return !window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Return the logo of a theme, in reserved space; null without one. */
export function logo(theme: Json, isDark: boolean): HTMLElement | null {
  const found = logoOf(theme);
  const plain = (file: Picture): Picture => ({ ...file, placeholder: "", dark: file.dark && plain(file.dark) });
  return found && h("div", { class: "logo" }, shownPicture(plain(found), isDark, SIZES.logo));
}

export function logoOf({ logo: given }: Json): Picture | null {
  return mediaFile(typeof given === "string" ? { url: given } : given);
}

function video({ url, poster, alt }: Picture): HTMLElement {
  const attributes = { loop: true, playsinline: true, autoplay: true, "aria-label": alt || null };
  const element = h("video", { ...attributes, role: alt ? "img" : "presentation", poster, src: url });
  // The attribute mutes only the videos of a parsed page, and browsers start no other ones.
  element.muted = true;
  return element;
}

/** Show the pictures of another colour scheme in place of those that have a dark partner, and the colours of brands. */
export function repaintPictures(root: HTMLElement, isDark: boolean): void {
  for (const box of root.querySelectorAll(".picture")) {
    const partner = darkPartners.get(box)?.(isDark);
    partner?.toggleAttribute("data-inner", box.hasAttribute("data-inner"));
    // A video that is put at its own place again would begin anew.
    if (partner) box.replaceWith(partner);
  }
  for (const button of root.querySelectorAll(".brand")) {
    button.dispatchEvent(new Event("repaint"));
  }
}

/** Remove a picture that cannot be loaded. A layout without its picture is the standard one. */
function removePicture(box: HTMLElement): void {
  const place = box.parentElement;
  box.remove();
  if (place?.className === "media") {
    place.parentElement?.setAttribute("data-layout", "standard");
    place.parentElement?.removeAttribute("data-half");
    place.remove();
  }
}
