/** The icons that every page has, as outlines of 24 by 24, and the names of all icons. */

import type { IconName } from "./contents";
import { memberOf } from "./json";

/** Icons of the page itself, of unknown names, of lists and of ways to sign up. The others are in `moreIcons.ts`, which few pages load. */
export const BASE_ICONS = {
  back: "M15 5l-7 7 7 7",
  check: "M5 13l4 4 10-10",
  close: "M6 6l12 12M18 6L6 18",
  mail: "M4 6h16v12H4zM4 7l8 6 8-6",
  phone: "M8 3h8v18H8zM11 18h2",
  spark: "M12 3c1 6 3 8 9 9-6 1-8 3-9 9-1-6-3-8-9-9 6-1 8-3 9-9z",
  star: "M12 4l2.5 5 5.5.8-4 3.9 1 5.5-5-2.7-5 2.7 1-5.5-4-3.9 5.5-.800z",
} as const satisfies Partial<Record<IconName, string>>;

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

/** The names of icons that `moreIcons.ts` draws. */
export type MoreIcon = Exclude<IconName, keyof typeof BASE_ICONS | keyof typeof ALIASES>;

/** Return the name of the drawing of an icon, in any spelling. */
export function iconName(name: string): string {
  const key = name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  return memberOf<string>(ALIASES, key) ?? key;
}

/** Return whether an icon is shown as a text: an emoji. */
export function isEmoji(name: string): boolean {
  return name !== "" && !/[a-z]/i.test(name) && name.length <= 8;
}
