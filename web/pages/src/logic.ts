/** The script of logic, for the pages of flows that need it and for the preview. */

import { logicIn } from "@onboarding/flow/logic";

export const logic = logicIn(() => document.documentElement.lang);
