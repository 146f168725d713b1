/** The icons that only contents name: a part of the script. */

export { MORE_ICONS } from "@onboarding/flow/moreIcons";
