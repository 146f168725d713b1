/** The script of logic, which pages of flows with logic and the preview load in front of the script of the pages. */

import { choiceOf, contextOf, hasLogic, type Logic, next, progress, wayTo } from "@onboarding/flow/logic";

const logic: Logic = { choiceOf, contextOf, hasLogic, next, progress, wayTo };
Object.assign(window, { onboardingLogic: logic });
