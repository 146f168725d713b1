/** The place of a screen that the app draws, and what stands there without an app. */

import { heading, subtitle } from "@onboarding/flow/content";
import { text } from "@onboarding/flow/json";
import { paragraph, title } from "../frame";
import { other } from "../screens/information";
import type { ScreenContext, ScreenView } from "../screens/screen";

/** For the team that looks at a preview. */
const DRAWN_BY_APP = "Your app draws this screen.";

/**
 * Return the view of a native screen. `isDrawn` says that the app shows its own screen, `isTrial` that a preview shows a
 * place for it.
 */
export function native(context: ScreenContext, isDrawn: boolean, isTrial: boolean): ScreenView {
  const { screen, flow } = context;
  const { content, settings } = screen;
  if (isTrial) {
    const name = text(content.name);
    return { content: [title(heading(screen) || name, flow.projectName), paragraph(DRAWN_BY_APP)] };
  }
  if (!isDrawn && settings.fallback === "screen" && settings.required !== true) {
    return other(context);
  }
  return { content: [title(heading(screen), flow.projectName), paragraph(subtitle(content))], hasButtons: false };
}
