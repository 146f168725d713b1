/** Icons by their names in content, as outlines of 24 by 24. An emoji is shown as text. */

import type { IconName } from "@onboarding/flow/contents";
import { memberOf } from "@onboarding/flow/json";

const PATHS: Record<Exclude<IconName, keyof typeof ALIASES>, string> = {
  back: "M15 5l-7 7 7 7",
  bell: "M6 10a6 6 0 0 1 12 0c0 5 2 6 2 7H4c0-1 2-2 2-7M10 20a2 2 0 0 0 4 0",
  bolt: "M13 3L5 14h6l-1 7 8-11h-6z",
  calendar: "M5 6h14v14H5zM5 10h14M9 3v4M15 3v4",
  camera: "M4 8h3l2-3h6l2 3h3v11H4zM12 10a3 3 0 1 0 0 6 3 3 0 1 0 0-6",
  chart: "M5 20V11M12 20V4M19 20v-6",
  check: "M5 13l4 4 10-10",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 1 0 0-18M12 7v5l3 2",
  close: "M6 6l12 12M18 6L6 18",
  gift: "M4 9h16v4H4zM6 13v7h12v-7M12 9v11M12 9c-6 0-5-6 0-2 5-4 6 2 0 2",
  globe: "M12 3a9 9 0 1 0 0 18 9 9 0 1 0 0-18M3 12h18M12 3c-5 6-5 12 0 18 5-6 5-12 0-18",
  heart: "M12 20C4 14 3 11 3 8.500a4.500 4.500 0 0 1 9-1 4.500 4.500 0 0 1 9 1C21 11 20 14 12 20z",
  image: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.01",
  lock: "M6 11h12v9H6zM9 11V8a3 3 0 0 1 6 0v3",
  mail: "M4 6h16v12H4zM4 7l8 6 8-6",
  map_pin: "M12 21c-5-6-7-8-7-11a7 7 0 0 1 14 0c0 3-2 5-7 11M12 8a2 2 0 1 0 0 4 2 2 0 1 0 0-4",
  moon: "M20 14A8 8 0 0 1 10 4a8 8 0 1 0 10 10z",
  people: "M9 11a3 3 0 1 0 0-6 3 3 0 1 0 0 6M3 20c0-8 12-8 12 0M16 5a3 3 0 0 1 0 6M18 14c2 1 3 3 3 6",
  phone: "M8 3h8v18H8zM11 18h2",
  shield: "M12 3l8 3c0 8-2 12-8 15-6-3-8-7-8-15zM9 12l2 2 4-4",
  spark: "M12 3c1 6 3 8 9 9-6 1-8 3-9 9-1-6-3-8-9-9 6-1 8-3 9-9z",
  star: "M12 4l2.500 5 5.500.800-4 3.900 1 5.500-5-2.700-5 2.700 1-5.500-4-3.900 5.500-.800z",
};

const ALIASES = {
  notification: "bell",
  notifications: "bell",
  location: "map_pin",
  pin: "map_pin",
  contacts: "people",
  photos: "image",
  tracking: "chart",
  email: "mail",
  time: "clock",
  privacy: "lock",
  security: "shield",
} as const satisfies Partial<Record<IconName, IconName>>;

/** Return the icon with a name; a star for an unknown name. */
export function icon(name: string): Element {
  if (name && !/[a-z]/i.test(name) && name.length <= 8) {
    const text = document.createElement("span");
    text.setAttribute("aria-hidden", "true");
    text.className = "emoji";
    text.textContent = name;
    return text;
  }
  const key = name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  const namespace = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(namespace, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(namespace, "path");
  path.setAttribute("d", memberOf<string>(PATHS, memberOf<string>(ALIASES, key) ?? key) ?? PATHS.star);
  svg.append(path);
  return svg;
}
