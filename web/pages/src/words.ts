/** The texts of the pages themselves. They are English, because texts of flows are not localised yet. */

import type { Problem } from "@onboarding/flow/answers";

export const WORDS = {
  allow: "Allow",
  again: "Try again",
  back: "Back",
  choose: "Choose an option.",
  chooseAtLeast: (count: number) => `Choose at least ${count}.`,
  chooseAtMost: (count: number) => `Choose up to ${count}.`,
  close: "Close",
  continue: "Continue",
  continueWith: "Continue with",
  day: "Day",
  drawnByApp: "Your app draws this screen.",
  done: "All done",
  doneText: "You can close this page now.",
  email: "Enter an email address, such as name@example.com.",
  empty: "There is nothing to show here.",
  failed: "Something went wrong",
  failedText: "Please try again later.",
  feet: "Feet",
  fill: "Fill in this field.",
  inches: "Inches",
  less: "Less",
  missing: "This step needs the app. Please try again.",
  month: "Month",
  more: "More",
  notNow: "Not now",
  outOfRange: (min: number, max: number) => `Enter a number from ${min} to ${max}.`,
  privacy: "Privacy",
  progress: "Progress",
  read: "Read",
  required: "Required",
  restore: "Restore purchases",
  selected: (count: number) => `${count} selected`,
  skip: "Skip",
  stars: (count: number) => `${count} of 5 stars`,
  step: (step: number, steps: number) => `Step ${step} of ${steps}`,
  terms: "Terms",
  tick: "Tick the required boxes.",
  time: "Enter a time.",
  unit: "Unit",
  year: "Year",
} as const;

/** Return the text of a problem with an answer. */
export function problemText({ code, min = 0, max = 0 }: Problem): string {
  switch (code) {
    case "choose":
      return WORDS.choose;
    case "consent":
      return WORDS.tick;
    case "too_few":
      return WORDS.chooseAtLeast(min);
    case "range":
      return WORDS.outOfRange(min, max);
    case "time":
      return WORDS.time;
    case "email":
      return WORDS.email;
    default:
      return WORDS.fill;
  }
}
