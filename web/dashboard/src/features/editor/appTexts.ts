/** The texts of screens and steps in which the app takes part. */
export const appTexts = {
  name: "Name of the component",
  nameHelp: "Your app draws the screen with its component of this name, such as sign_in.",
  data: "Data for the component",
  dataHelp: "An object as JSON. The component gets it as it is.",
  notJson: "This is no JSON object yet, so it is not saved.",
  required: "Required: only the app lets it pass",
  requiredHelp:
    "No time-out, no error and no Skip passes over this screen. In a browser without your app the flow waits here.",
  fallback: "Without a component",
  fallbackHelp: "What a browser or an older app shows. By default the screen is passed over.",
  awaits: "Ask the app before it goes on",
  awaitsHelp: "The step hook of your app can let it pass, keep the screen with a message, or go to another screen.",
  seconds: "Seconds for the answer",
  secondsHelp: "3 without a number, at most 15.",
  otherwise: "Without an answer",
  otherwiseHelp: "By default the flow goes on.",
  /** The values of the selects. */
  choices: {
    skip: "Pass over the screen",
    next: "Go on",
    stop: "Wait, and say so",
    screen: "Show its own title, text and button",
    stay: "Keep the screen",
  },
};
