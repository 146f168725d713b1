/** Pictures, animations and videos of a screen. */

import { mediaFile, type Picture, picture } from "@onboarding/flow/content";
import type { Json } from "@onboarding/flow/json";
import { h } from "./dom";
import { illustrate } from "./illustrations";
import type { ScreenContext } from "./screens/screen";

/** Functions that show a picture again, for another colour scheme. */
const darkPartners = new WeakMap<Element, (isDark: boolean) => HTMLElement>();

/**
 * Return the picture of a screen in reserved space, which is removed if the picture cannot be loaded; null without one.
 * What moves shows its poster where the system asks for less motion.
 */
export function image({ screen, flow, isDark }: ScreenContext): HTMLElement | null {
  const found = picture(screen, flow);
  return found && shownPicture(found, isDark(), "(min-width: 640px) 480px, 100vw");
}

/** Return a file in reserved space, at `sizes` as browsers read them. */
export function shownPicture(found: Picture, isDark: boolean, sizes: string): HTMLElement {
  if (found.kind === "illustration") {
    const box = h("div", { class: "picture drawn" });
    illustrate(box, found.url).catch(() => removePicture(box));
    return box;
  }
  const file = (isDark && found.dark) || found;
  const { kind, url, poster, srcset, alt, position } = file;
  // An address alone says nothing about its size.
  const { width = 400, height = 300 } = file;
  const moves = kind && !window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const still = h("img", {
    alt,
    sizes: srcset ? sizes : null,
    srcset: srcset || null,
    src: (!moves || kind === "lottie" ? poster : "") || url,
    decoding: "async",
    width,
    height,
  });
  const shown = moves && kind === "video" ? video(file) : still;
  shown.style.aspectRatio = `${width} / ${height}`;
  shown.style.objectPosition = position;
  const box = h("div", { class: "picture" }, shown);
  if (found.dark) {
    darkPartners.set(box, (dark) => shownPicture(found, dark, sizes));
  }
  box.style.background = file.placeholder;
  const show = () => box.classList.add("loaded");
  if (shown !== still || (still.complete && still.naturalWidth > 0)) {
    show();
  }
  still.addEventListener("load", show);
  still.addEventListener("error", () => removePicture(box));
  if (moves && kind === "lottie") {
    // Without the player, the poster stays.
    import("./screens/lottie").then(({ play }) => play(box, url)).catch(console.error);
  }
  return box;
}

/** Return the logo of a theme, in reserved space; null without one. */
export function logo(theme: Json, isDark: boolean): HTMLElement | null {
  const found = mediaFile(typeof theme.logo === "string" ? { url: theme.logo } : theme.logo);
  const plain = (file: Picture): Picture => ({ ...file, placeholder: "", dark: file.dark && plain(file.dark) });
  return found && h("div", { class: "logo" }, shownPicture(plain(found), isDark, "160px"));
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
    box.replaceWith(darkPartners.get(box)?.(isDark) ?? box);
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
