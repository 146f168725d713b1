/** The player of Lottie animations, which only pages with one load. */

import lottie from "lottie-web/build/player/lottie_light";

/** Play an animation in place of the content of an element. The content stays while the file is not there. */
export function play(element: HTMLElement, path: string): void {
  const container = document.createElement("div");
  const animation = lottie.loadAnimation({ container, path, renderer: "svg", loop: true, autoplay: true });
  animation.addEventListener("DOMLoaded", () => {
    element.textContent = "";
    element.append(container);
  });
}
