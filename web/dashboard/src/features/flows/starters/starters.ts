import type { FlowCreateBody, ScreenTemplateView } from "@/api/schema";
import { starterTexts } from "../texts";

type NewScreen = NonNullable<FlowCreateBody["screens"]>[number];

/** A flow with rules. Their `go_to` is the key of a screen, because the service makes the ids. */
export interface StarterFlow {
  name: string;
  description: string;
  variables: { name: string; formula: string }[];
  screens: (NewScreen & { key: string })[];
}

/** A starter: screens made from the service's templates, in this order, or a whole flow. */
export interface Starter {
  id: string;
  name: string;
  text: string;
  templates?: readonly string[];
  flow?: () => Promise<StarterFlow>;
}

export const STARTERS: readonly Starter[] = [
  {
    id: "welcome",
    name: starterTexts.welcome,
    text: starterTexts.welcomeText,
    templates: ["welcome_greeting", "feature_highlight", "feature_list", "permissions_notifications"],
  },
  {
    id: "questions",
    name: starterTexts.questions,
    text: starterTexts.questionsText,
    templates: ["welcome_greeting", "question_name", "question_goal", "question_interests", "signup_email"],
  },
  {
    id: "subscription",
    name: starterTexts.subscription,
    text: starterTexts.subscriptionText,
    templates: ["welcome_greeting", "feature_list", "paywall_trial"],
  },
  {
    id: "plan",
    name: starterTexts.plan,
    text: starterTexts.planText,
    flow: async () => (await import("./personalisedPlan")).PERSONALISED_PLAN,
  },
];

/** Return the screens of templates; one that the service no longer has is left out. */
export function screensOf(ids: readonly string[], templates: readonly ScreenTemplateView[]): NewScreen[] {
  return ids.flatMap((id) => {
    const template = templates.find((candidate) => candidate.id === id);
    return template
      ? [{ type: template.type, name: template.name, content: template.default_content, settings: {} }]
      : [];
  });
}
