import type { ScreenTemplateView } from "@/api/schema";
import { texts } from "@/texts";

/** A starter flow: screens made from the service's templates, in this order. */
export interface Starter {
  id: string;
  name: string;
  text: string;
  templates: readonly string[];
}

export const STARTERS: readonly Starter[] = [
  {
    id: "welcome",
    name: texts.starters.welcome,
    text: texts.starters.welcomeText,
    templates: ["welcome_greeting", "feature_highlight", "feature_list", "permissions_notifications"],
  },
  {
    id: "questions",
    name: texts.starters.questions,
    text: texts.starters.questionsText,
    templates: ["welcome_greeting", "question_name", "question_goal", "question_interests", "signup_email"],
  },
  {
    id: "subscription",
    name: texts.starters.subscription,
    text: texts.starters.subscriptionText,
    templates: ["welcome_greeting", "feature_list", "paywall_trial"],
  },
];

/** Return the screens of a starter flow; a template that the service no longer has is left out. */
export function screensOf(starter: Starter, templates: readonly ScreenTemplateView[]) {
  return starter.templates.flatMap((id) => {
    const template = templates.find((candidate) => candidate.id === id);
    return template
      ? [{ type: template.type, name: template.name, content: template.default_content, settings: {} }]
      : [];
  });
}
