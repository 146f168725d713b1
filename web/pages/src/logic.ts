/** The script of logic, for the pages of flows that need it and for the preview. */

import {
  choiceOf,
  contextOf,
  fill,
  hasLogic,
  type Logic,
  next,
  progress,
  valuesOf,
  wayTo,
} from "@onboarding/flow/logic";

export const logic: Logic = {
  choiceOf,
  contextOf,
  fill: (flow, screen, way, context) => fill(flow, screen, way, context, document.documentElement.lang),
  hasLogic,
  next,
  progress,
  valuesOf,
  wayTo,
};
