/** The script of logic, which pages of flows that need it and the preview load in front of the script of the pages. */

import { choiceOf, contextOf, fill, hasLogic, type Logic, next, progress, wayTo } from "@onboarding/flow/logic";

const logic: Logic = {
  choiceOf,
  contextOf,
  fill: (flow, screen, way, context) => fill(flow, screen, way, context, document.documentElement.lang),
  hasLogic,
  next,
  progress,
  wayTo,
};
Object.assign(window, { onboardingLogic: logic });
