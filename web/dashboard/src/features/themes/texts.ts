import { orList } from "@/texts";

export const themeTexts = {
  title: "Themes",
  help: "Colours, typography and corners of your flows.",
  live: "What you save here reaches devices at once.",
  name: "Name",
  nameHelp: "Only your team sees it. At most 50 characters.",
  nameLength: "Must have 1 to 50 characters",
  create: "New theme",
  submit: "Create theme",
  isDefault: "Default",
  makeDefault: "Default theme",
  makeDefaultHelp: "Flows without a theme of their own use it.",
  colors: "Colours",
  color: {
    primary: "Buttons and accents",
    background: "Background",
    text: "Text",
    textSecondary: "Quiet text",
    surface: "Cards",
  },
  typography: "Typography",
  fontFamily: "Font",
  fontHelp: "A font that the device has. Empty: the font of the system.",
  headingSize: "Size of headings",
  bodySize: "Size of text",
  corners: "Corners",
  radius: { button: "Buttons", card: "Cards", input: "Fields" },
  updated: "Changed",
  saved: "The theme has been saved",
  saveTitle: (name: string) => `Save ${name}?`,
  devicesOf: (flows: string[]) => `Devices that get ${orList(flows)}`,
  changed: (member: string, before: string, after: string) => `${member}: from ${before} to ${after}`,
  none: "the standard",
  yes: "yes",
  no: "no",
  standard: "Standard",
  contrastLabel: "Contrast",
  contrasts: (ratios: string[]) =>
    `Contrast with the background: ${new Intl.ListFormat("en").format(ratios)}. At least 4.5 is easy to read.`,
  contrastTitle: "Hard to read",
  contrast: (color: string, ratio: string) =>
    `${color} on the background: contrast ${ratio}, at least 4.5 is needed. Hosted pages adjust the text, apps may not.`,
  preview: "Preview",
  previewCaption: "Preview with your changes",
  sample: {
    question: "What brings you here?",
    hint: "Choose one",
    options: ["Sleep better", "Move more", "Eat well"],
    name: "What is your name?",
    placeholder: "Your name",
    title: "Make it yours",
    text: "Answer two questions, and we prepare everything for you.",
    button: "Continue",
  },
  emptyTitle: "Create your first theme",
  emptyText: "A theme makes your flows look like your app: its colours, its font, its corners.",
  delete: "Delete theme",
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteText: (flows: string[], isDefault: boolean) => {
    const style = "Lost for good: its colours, typography and corners.";
    const used =
      flows.length === 0
        ? "No flow has chosen it."
        : `${new Intl.ListFormat("en").format(flows)} ${flows.length === 1 ? "loses" : "lose"} it at once.`;
    const look = isDefault ? "Flows without a theme get the standard look." : "";
    return `${style} ${used} ${look}`.trim();
  },
  deleted: (name: string) => `Deleted ${name}`,
} as const;
