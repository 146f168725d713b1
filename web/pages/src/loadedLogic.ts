import type { Logic } from "@onboarding/flow/logic";

/** Return the code of logic (logic.ts), null where the page has not loaded it. */
export function loadedLogic(): Logic | null {
  return (window as Window & { onboardingLogic?: Logic }).onboardingLogic ?? null;
}
