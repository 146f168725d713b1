/** Icons by their names in content, as elements. */

import { BASE_ICONS, iconName, isEmoji } from "@onboarding/flow/icons";
import { memberOf } from "@onboarding/flow/json";

const paths: Record<string, string> = { ...BASE_ICONS };

/** Take over the icons of a part that some pages load. */
export function addIcons(more: Record<string, string>): void {
  Object.assign(paths, more);
}

/** Return the icon with a name; a star for an unknown name. An emoji is shown as text. */
export function icon(name: string): Element {
  if (isEmoji(name)) {
    const text = document.createElement("span");
    text.setAttribute("aria-hidden", "true");
    text.className = "emoji";
    text.textContent = name;
    return text;
  }
  const namespace = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(namespace, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(namespace, "path");
  path.setAttribute("d", memberOf(paths, iconName(name)) ?? BASE_ICONS.star);
  svg.append(path);
  return svg;
}
