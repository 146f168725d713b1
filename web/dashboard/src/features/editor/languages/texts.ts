/** The English texts of the language switch of the editor. */
export const languageTexts = {
  language: "Language of the texts",
  base: (name: string) => `${name} (base)`,
  percent: (name: string, percent: number) => `${name}, ${percent}%`,
  locked: (name: string, base: string) =>
    `You translate into ${name}. Screens, their order and logic are locked; choose ${base} to change them.`,
  readOnly: (name: string) => `The texts of this screen in ${name}.`,
  chooseScreen: "Choose a screen to translate its texts. Settings of the flow have no translations.",
  newTexts: "Texts that are new on this screen appear here when the draft is saved.",
  noTexts: "This screen has no texts yet.",
  translation: (label: string, name: string) => `${label} in ${name}`,
  copyBase: "Copy base",
  confirm: "Confirm",
  of: (action: string, label: string) => `${action}: ${label}`,
};
