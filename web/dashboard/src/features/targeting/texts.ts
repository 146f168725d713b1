import { orList } from "@/texts";

export const targetingTexts = {
  title: "Who sees this flow",
  isDefault:
    "This is the default flow: devices that match no other flow get it. Its own conditions count only while another flow is the default.",
  isBehindDefault:
    "Only experiments show this flow: without a condition the default flow comes first. Add a condition, lower the share, or make it the default flow.",
  hasDraft: "Devices get the published conditions until the draft is published.",
  publishToUse: "Changes are saved in the draft. Devices get them when it is published.",
  incomplete: "Complete the conditions. Until then nothing of them is saved.",
  percentage: "Share of matching devices",
  percentageHelp: "Raising it later keeps the devices that have the flow already.",
  percentageRange: "Must be from 0 to 100",
  matches: (count: number, all: number, isMost: boolean) =>
    all === 0
      ? "The project had no device in the last 7 days."
      : `${isMost ? "At most " : ""}${count.toLocaleString("en")} of ${all.toLocaleString("en")} devices of the last 7 days match.`,
  notCounted: (attributes: string[]) => `Devices are not counted by ${orList(attributes)}.`,
  share: (share: string) => `${share} of the devices that match`,
  explain: {
    title: "Explain",
    help: "Describe a device to see which flow it gets now, and why.",
    device: "Device id",
    fields: {
      platform: "Platform",
      appVersion: "App version",
      osVersion: "OS version",
      country: "Country",
      locale: "Language",
    },
    attributes: "Attributes of the app",
    attributesHelp: 'One on each line, such as plan = pro. Quotes make a number text: zip = "12345".',
    empty: "Any device id will do, such as device-1.",
    thisFlow: (name: string) => `The device gets this flow, ${name}`,
    otherFlow: (name: string) => `The device gets another flow, ${name}`,
    nothing: "The device gets no flow",
    rules: "Rules in their order",
    wins: "Wins",
    skipped: "Does not apply",
    ruleOf: (rule: string, name: string) => `${rule}: ${name}`,
    onlyFor: (audience: string) => `Only where ${audience}`,
    ruleNames: {
      override: "QA device",
      experiment: "Experiment",
      flow: "Flow",
      default: "Default flow",
    } as Record<string, string>,
  },
} as const;
