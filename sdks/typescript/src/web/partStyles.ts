/** The style sheets of parts of the hosted pages. */

import loading from "@onboarding/pages/styles/parts/loading.css?inline";
import looks from "@onboarding/pages/styles/parts/looks.css?inline";
import panels from "@onboarding/pages/styles/parts/panels.css?inline";
import picker from "@onboarding/pages/styles/parts/picker.css?inline";

export const PART_STYLES = [loading, looks, panels, picker];
