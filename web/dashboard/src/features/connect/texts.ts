export const connectTexts = {
  title: "Connect",
  help: "Lines for your app, with the values of this project. The app needs one of the first three, and reports events.",
  keyIsCopied: "The copied lines contain the secret key of this project.",
  askForKey: "Ask an admin of this project for its secret key.",
  more: "Details:",
  or: "in the sources, and the",
  reference: "reference of the interface",
  heard: {
    title: "Last heard",
    platform: "Platform",
    noPlatform: "Not named",
    versions: "App versions",
    start: "Last start of a flow",
    newest: "Newest event",
    nothing: "No event has arrived yet. This page shows the first one as soon as it is there.",
    keyUsed: "The secret key was used last",
    keyUnused: "The secret key has not been used yet: no app has asked for a flow with it.",
  },
  ways: {
    sdk: {
      title: "Use an SDK",
      text: "The SDK shows the screens, works offline and reports events. It is built from the sources, sdks/typescript or sdks/kotlin.",
      document: "docs/sdk.md",
    },
    resolve: {
      title: "Draw the screens in the app",
      text: "The app asks for the flow of its device, and shows the screens by its own code.",
      document: "docs/sdk.md",
    },
    page: {
      title: "Show the page in a web view",
      text: "The service draws the screens as a page. The app opens the page, and closes it when the page says so.",
      document: "docs/hosted-pages.md",
    },
    event: {
      title: "Report events",
      text: "Pages report what happens on them. The app reports the rest, such as purchases.",
      document: "docs/sdk.md",
    },
    openFeature: {
      title: "Use OpenFeature",
      text: "The SDKs of OpenFeature read the flow as a flag, by the protocol OFREP.",
      document: "docs/openfeature.md",
    },
  },
} as const;
