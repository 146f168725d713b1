import { appTexts } from "@/features/editor/appTexts";
import type { Content } from "../document";
import { type Field, number, SUBTITLE, TITLE, text } from "./fields";

const words = appTexts;

/** The fields of a screen that the app draws. Title, subtitle and button are for the case that the app does not draw it. */
export const NATIVE_FIELDS: readonly Field<"name" | "data" | "title" | "subtitle">[] = [
  text("name", words.name, words.nameHelp),
  { kind: "json", path: "data", label: words.data, help: words.dataHelp },
  TITLE,
  SUBTITLE,
];

/** Return the fields of settings that give the app its say. */
export function appSettings(type: string, settings: Content): readonly Field[] {
  const isRequired = settings.required === true;
  return [
    { kind: "toggle", path: "required", label: words.required, help: words.requiredHelp },
    ...(type === "native" && !isRequired
      ? [select("fallback", words.fallback, ["skip", "stop", "screen"], words.fallbackHelp)]
      : []),
    { kind: "toggle", path: "await_app", label: words.awaits, help: words.awaitsHelp },
    ...(settings.await_app === true
      ? [
          number("await_seconds", words.seconds, words.secondsHelp),
          ...(isRequired ? [] : [select("await_default", words.otherwise, ["next", "stay"], words.otherwiseHelp)]),
        ]
      : []),
  ];
}

function select(path: string, label: string, options: readonly string[], help: string): Field {
  return { kind: "select", path, label, options, known: options, help, clearable: true, names: words.choices };
}
