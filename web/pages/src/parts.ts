/**
 * The parts of the script that only some flows need. Each is a script of its own, which the page links in front of that
 * of all pages, so that it arrives in the same round trip.
 */

import type { Contents } from "@onboarding/flow/contents";
import type { FlowDocument } from "@onboarding/flow/document";
import { memberOf, object } from "@onboarding/flow/json";
import type { Logic } from "@onboarding/flow/logic";
import { FONT_NAMES } from "@onboarding/flow/theme";
import type { App } from "./app/app";
import type { addFonts } from "./fonts";
import { addIcons } from "./icons";
import type { ScreenViews } from "./screens/screen";
import type { startTimes } from "./timing";

/** As long as the fallback waits for the script of the page. */
const MAX_LOAD_MS = 15_000;

type Screens = FlowDocument["screens"];

const panels = () => import("./screens/panels").then(({ PANELS }) => PANELS);

/** The scripts of types of screens. */
const VIEWS = {
  comparison: panels,
  consent: () => import("./screens/consent").then(({ consent }) => ({ consent })),
  loading: () => import("./screens/loading").then(({ loading }) => ({ loading })),
  paywall: (screens: Screens) =>
    Promise.all([import("./screens/paywall"), compares(screens) ? import("./screens/versus") : null]).then(
      ([{ paywall }, columns]) => ({ paywall: (context) => paywall(context, columns?.versus) }),
    ),
  question_picker: () => import("./screens/picker").then(({ picker }) => ({ question_picker: picker })),
  signup: () => import("./screens/signup").then(({ signup }) => ({ signup })),
  social_proof: panels,
  summary: panels,
} satisfies Partial<Record<keyof Contents, (screens: Screens) => Promise<ScreenViews>>>;

/** The types whose views are parts; those of all others are in the script of all pages. */
export type LoadedType = keyof typeof VIEWS | "native";

export interface Parts {
  app: typeof App | null;
  fonts: typeof addFonts | null;
  logic: Logic | null;
  screens: ScreenViews;
  times: typeof startTimes | null;
}

/** Return whether the app takes part in a flow: it draws a screen, or lets one pass. */
export function hasApp({ screens }: FlowDocument): boolean {
  return screens.some(
    ({ type, settings }) => type === "native" || settings.required === true || settings.await_app === true,
  );
}

/**
 * Load the parts that a flow needs: logic for conditions, rules, and names in its texts other than that of the app, and
 * icons that contents name. The publisher has the same rules (page_document.py), but it does not know whether the app talks.
 */
export async function loadParts({ screens, theme }: FlowDocument, needsApp: boolean): Promise<Parts> {
  const needsLogic =
    needsApp ||
    screens.some(({ showIf, next }) => showIf.length + next.length) ||
    JSON.stringify(screens).includes("{{");
  const needsIcons =
    screens.some(({ type }) => type === "permissions") ||
    JSON.stringify(screens.map(({ content }) => content)).includes('"icon"');
  const needsFonts = Object.keys(FONT_NAMES).some((name) => memberOf(object(theme.typography), name));
  const needsTimes = screens.some(({ settings }) => settings.delay_seconds || settings.auto_advance_seconds);
  const [loaded, icons, timing, fonts, app, ...views] = await arrived(
    Promise.all([
      needsLogic ? import("./logic") : null,
      needsIcons ? import("./iconset") : null,
      needsTimes ? import("./timing") : null,
      needsFonts ? import("./fonts") : null,
      needsApp ? import("./app/app") : null,
      ...screens.map(({ type }) => memberOf<(screens: Screens) => Promise<ScreenViews>>(VIEWS, type)?.(screens)),
    ]),
  );
  addIcons(icons?.MORE_ICONS ?? {});
  return {
    app: app?.App ?? null,
    fonts: fonts?.addFonts ?? null,
    logic: loaded?.logic ?? null,
    screens: Object.assign({}, ...views),
    times: timing?.startTimes ?? null,
  };
}

/** Return whether a paywall has two columns. */
function compares(screens: Screens): boolean {
  return screens.some(({ type, content }) => type === "paywall" && content.layout === "comparison");
}

/** Wait for a script. A network that stalls ends no request, so the promise is rejected after a time. */
export function arrived<Script>(script: Promise<Script>): Promise<Script> {
  const late = new Promise<never>((_, reject) =>
    window.setTimeout(() => reject(new Error("A script is not loaded.")), MAX_LOAD_MS),
  );
  return Promise.race([script, late]);
}
