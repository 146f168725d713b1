/** The style sheets of parts of the hosted pages. */

import app from "@onboarding/pages/styles/parts/app.css?inline";
import layouts from "@onboarding/pages/styles/parts/layouts.css?inline";
import loading from "@onboarding/pages/styles/parts/loading.css?inline";
import looks from "@onboarding/pages/styles/parts/looks.css?inline";
import offers from "@onboarding/pages/styles/parts/offers.css?inline";
import options from "@onboarding/pages/styles/parts/options.css?inline";
import panels from "@onboarding/pages/styles/parts/panels.css?inline";
import paywall from "@onboarding/pages/styles/parts/paywall.css?inline";
import picker from "@onboarding/pages/styles/parts/picker.css?inline";
import timeline from "@onboarding/pages/styles/parts/timeline.css?inline";
import timing from "@onboarding/pages/styles/parts/timing.css?inline";
import versus from "@onboarding/pages/styles/parts/versus.css?inline";

export const PART_STYLES = [
  app,
  layouts,
  loading,
  looks,
  offers,
  options,
  panels,
  paywall,
  picker,
  timeline,
  timing,
  versus,
];
