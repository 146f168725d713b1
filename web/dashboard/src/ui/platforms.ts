import { texts } from "@/texts";

export const PLATFORMS = ["ios", "android"] as const;

/** The platforms as options of a `Select`. */
export const PLATFORM_OPTIONS = PLATFORMS.map((value) => ({ value, label: texts.ui.platforms[value] }));
