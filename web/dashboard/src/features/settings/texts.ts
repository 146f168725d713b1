export const settingsTexts = {
  title: "Settings",
  sections: "Settings of the project",
  general: "General",
  readOnly: "Admins and owners of the project can change these settings.",
  none: "None",
  on: "On",
  off: "Off",
  saved: "The settings have been saved",
  defaultFlow: "Default flow",
  noDefaultFlow: "No default flow",
  defaultFlowHelp: "Devices get it when no other flow and no experiment matches.",
  customDomain: "Custom domain",
  customDomainHelp: "A host name of yours, such as onboarding.example.com. Optional.",
  texts: "Languages",
  languages: "Languages of the texts",
  languagesHelp:
    "Search a name in any language, or type a tag such as pt-BR. A language that is taken out keeps its translations, which are not served.",
  translations: "Translate the texts of all flows",
  languageOrder: "Order of the languages",
  languageOrderHelp: "After the default one. Of two languages that fit a device equally, it gets the first.",
  moveLanguageUp: (name: string) => `Move ${name} up`,
  noLanguage: "No language has this name",
  defaultLanguage: "Default language",
  defaultLanguageHelp:
    "The language of the base texts, and of devices that no other language fits. Another one swaps no texts.",
  data: "Data of users",
  analytics: "Collect analytics",
  analyticsHelp: "Off: apps and hosted pages send no events, and statistics stop at today.",
  recordAnswers: "Keep answers of users",
  recordAnswersHelp:
    "On: answers to questions on hosted pages are stored and appear in Responses. They are personal data: tell your users. Off: answers are counted, not stored.",
  changes: "Changes of flows",
  directWrites: "When does a change reach users?",
  direct: { allowed: "At once, or through a draft", refused: "Only when a draft is published" },
  directHelp: {
    allowed: "Editors and scripts may change live flows.",
    refused: "Live flows are protected. Editors change a draft, and users see it when it is published.",
  },
  approvals: "Approvals before publishing",
  approvalsInWords: (count: number, direct: boolean) =>
    count > 0
      ? `${count === 1 ? "One other editor has" : `${count} other editors have`} to approve a draft before it is published.${direct ? " Direct changes are then refused, too." : ""}`
      : "0 to 5. Editors publish on their own.",
  danger: "Delete this project",
  deleteHelp: "Apps that use it get no flow any more. It cannot be undone.",
  delete: "Delete project",
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteText: (flows: number, users: number) =>
    `Lost for good: ${flows === 1 ? "1 flow" : `${flows} flows`} with all screens and versions, the data of ${users === 1 ? "1 user" : `${users.toLocaleString("en")} users`}, all themes, experiments, keys and members.`,
  deleted: (name: string) => `Deleted ${name}`,
  device: {
    title: "Data of a device",
    help: "Answer the request of a person who uses your app. The id is the one that your app sends.",
    id: "Device id",
    download: "Download data",
    reading: (items: number) => `${items.toLocaleString("en")} events read`,
    downloaded: (items: number) => `Downloaded ${items === 1 ? "1 event" : `${items.toLocaleString("en")} events`}`,
    erase: "Erase device",
    eraseTitle: (device: string) => `Erase ${device}?`,
    eraseText:
      "Lost for good: its events, answers, assignments and QA override. Statistics change as if it had never been there.",
  },
} as const;
