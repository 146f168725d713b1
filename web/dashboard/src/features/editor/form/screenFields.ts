import { boxes } from "@onboarding/flow/consent";
import { items, options } from "@onboarding/flow/content";
import {
  type Contents,
  FIELD_TYPES,
  LAYOUTS,
  PERMISSIONS,
  PICKER_KINDS,
  type Question,
  type QuestionPicker,
} from "@onboarding/flow/contents";
import { memberOf } from "@onboarding/flow/json";
import { steps } from "@onboarding/flow/loading";
import { quotes, rows } from "@onboarding/flow/panels";
import { fields, providers } from "@onboarding/flow/signup";
import { editorTexts } from "@/features/editor/texts";
import type { Content } from "../document";
import { appSettings, NATIVE_FIELDS } from "./appFields";
import {
  DESCRIPTION,
  type Field,
  ICON,
  ILLUSTRATION,
  IMAGE,
  LEGAL,
  long,
  number,
  SUBTITLE,
  TITLE,
  text,
  toggle,
} from "./fields";
import { paywallFields, VERSUS } from "./paywallFields";

const words = editorTexts.fields;

const buttons = (asks: boolean): readonly Field[] => [
  { kind: "button", path: "primary_button", label: words.primaryButton, asks },
  { kind: "button", path: "secondary_button", label: words.secondaryButton },
];
const QUESTION: readonly Field<keyof Question>[] = [
  text("question", words.question),
  text("hint", words.hint),
  text("answer_key", words.answerKey, words.answerKeyHelp),
];
/** Return a name for conditions and events from a label. */
function nameFrom(label: string): string {
  return label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_|_$/g, "")
    .slice(0, 32);
}

const LABELS = { allow: "", continue: "", continueWith: "", notNow: "" };
const OPTIONS: Field<"options"> = {
  kind: "list",
  path: "options",
  label: words.options,
  add: words.addOption,
  read: (list) => options({ options: list }),
  item: [
    text("label", words.label),
    text("description", words.description),
    text("emoji", words.emoji),
    ICON,
    { kind: "file", path: "media_id", label: words.image },
    text("value", words.value),
  ],
  brief: 1,
  blank: { label: "", value: "" },
  unique: { value: "" },
};
const COLUMNS: Field<"columns"> = {
  kind: "select",
  path: "columns",
  label: words.optionColumns,
  options: ["1", "2"],
  help: words.optionColumnsHelp,
  clearable: true,
  isNumber: true,
};
const ITEMS: Field<"items"> = {
  kind: "list",
  path: "items",
  label: words.items,
  add: words.addItem,
  read: (list) => items({ items: list }),
  item: [text("title", words.title), text("description", words.description), ICON],
  brief: 3,
  blank: { icon: "check", title: "", description: "" },
  unique: {},
};

const FIELDS: {
  readonly [Type in Exclude<keyof Contents, "paywall">]: readonly Field<string & keyof Contents[Type]>[];
} = {
  welcome: [TITLE, SUBTITLE, IMAGE, ILLUSTRATION, ITEMS],
  feature: [
    TITLE,
    DESCRIPTION,
    IMAGE,
    ILLUSTRATION,
    {
      kind: "select",
      path: "image_position",
      label: words.imagePosition,
      options: ["top", "bottom"],
      clearable: true,
    },
    ITEMS,
  ],
  permissions: [
    TITLE,
    DESCRIPTION,
    {
      kind: "select",
      path: "permission",
      label: words.permission,
      options: PERMISSIONS.filter((name) => name !== "notification"),
      known: PERMISSIONS,
      help: words.permissionHelp,
    },
    ICON,
    IMAGE,
    ILLUSTRATION,
  ],
  signup: [
    TITLE,
    SUBTITLE,
    ITEMS,
    {
      kind: "texts",
      path: "providers",
      label: words.providers,
      add: words.addProvider,
      read: (list) => providers({ providers: list }, LABELS),
    },
    {
      kind: "list",
      path: "fields",
      label: words.signupFields,
      add: words.addField,
      read: (list) => fields({ fields: list }),
      item: [
        text("label", words.label),
        text("name", words.name),
        { kind: "select", path: "type", label: words.fieldType, options: FIELD_TYPES },
        toggle("required", words.required),
      ],
      brief: 2,
      blank: { name: "", type: "text", label: "", required: false },
      unique: { name: "" },
    },
    LEGAL,
  ],
  question_text: [
    ...QUESTION,
    text("placeholder", words.placeholder),
    text("default_value", words.defaultValue),
    number("max_length", words.maxLength),
    toggle("multiline", words.multiline),
    toggle("required", words.required),
  ],
  question_single_choice: [...QUESTION, OPTIONS, COLUMNS, toggle("required", words.required, true)],
  question_multiple_choice: [
    ...QUESTION,
    OPTIONS,
    COLUMNS,
    toggle("required", words.required),
    number("min_selected", words.minSelected),
    number("max_selected", words.maxSelected),
  ],
  question_picker: [
    ...QUESTION,
    { kind: "select", path: "picker", label: words.picker, options: PICKER_KINDS, known: PICKER_KINDS },
  ],
  loading: [
    TITLE,
    SUBTITLE,
    {
      kind: "texts",
      path: "steps",
      label: words.steps,
      add: words.addStep,
      read: (list) => steps({ steps: list }),
      blank: { label: "" },
    },
    { kind: "number", path: "seconds", label: words.seconds, help: words.secondsHelp, between: [1, 30] },
  ],
  consent: [
    TITLE,
    SUBTITLE,
    IMAGE,
    ILLUSTRATION,
    {
      kind: "list",
      path: "items",
      label: words.boxes,
      add: words.addBox,
      read: (list) => boxes({ items: list }),
      item: [
        text("label", words.label),
        toggle("required", words.required),
        text("url", words.url),
        text("name", words.name, words.nameHelp),
      ],
      brief: 3,
      blank: { name: "", label: "", required: false, url: "" },
      unique: { name: "" },
      nameOf: nameFrom,
    },
  ],
  summary: [
    TITLE,
    SUBTITLE,
    IMAGE,
    ILLUSTRATION,
    {
      kind: "list",
      path: "rows",
      label: words.rows,
      add: words.addRow,
      read: (list) => rows({ rows: list }),
      item: [text("label", words.label), text("text", words.text), ICON],
      brief: 3,
      blank: { icon: "check", label: "", text: "" },
      unique: {},
    },
  ],
  social_proof: [
    TITLE,
    SUBTITLE,
    IMAGE,
    ILLUSTRATION,
    { kind: "number", path: "rating", label: words.rating, help: words.starsHelp, between: [0, 5] },
    {
      kind: "list",
      path: "quotes",
      label: words.quotes,
      add: words.addQuote,
      read: (list) => quotes({ quotes: list }, { illustrations: {} }),
      item: [
        long("text", words.quote),
        text("name", words.name),
        { kind: "number", path: "stars", label: words.stars, help: words.starsHelp, between: [0, 5] },
        { kind: "image", path: "image", label: words.image, help: words.imageHelp },
      ],
      brief: 3,
      blank: { text: "", name: "", stars: 5, image: null },
      unique: {},
    },
  ],
  comparison: [TITLE, SUBTITLE, IMAGE, ILLUSTRATION, VERSUS],
  native: NATIVE_FIELDS,
  custom: [
    TITLE,
    SUBTITLE,
    IMAGE,
    ILLUSTRATION,
    ITEMS,
    long("html", words.html, words.htmlHelp),
    text("component", words.component, words.componentHelp),
  ],
};

const RANGE: readonly Field<keyof QuestionPicker>[] = [
  number("min_value", words.minValue),
  number("max_value", words.maxValue),
  number("step", words.step),
  number("default_value", words.defaultValue),
];

function pickerFields(picker: unknown): readonly Field<keyof QuestionPicker>[] {
  switch (picker) {
    case "number":
      return [...RANGE, text("unit", words.unit)];
    case "height":
    case "weight":
      return [...RANGE, { kind: "select", path: "unit", label: words.unit, options: ["metric", "imperial"] }];
    case "options":
      return [OPTIONS];
    default:
      return [text("default_value", words.defaultValue)];
  }
}

/** The fields of a screen's settings, which pages of all types read. */
export const SETTINGS: readonly Field[] = [
  {
    kind: "select",
    path: "layout",
    label: words.layout,
    options: LAYOUTS,
    known: LAYOUTS,
    help: words.layoutHelp,
    clearable: true,
  },
  { kind: "toggle", path: "skippable", label: words.skippable, help: words.skippableHelp },
  number("delay_seconds", words.delay, words.delayHelp),
  number("auto_advance_seconds", words.advanceSeconds, words.advanceSecondsHelp),
  { kind: "background", path: "background", label: words.background, help: words.backgroundHelp },
];

/** The fields of the settings of a single choice. */
const CHOICE_SETTINGS: readonly Field[] = [
  { kind: "toggle", path: "auto_advance", label: words.goesOn, help: words.goesOnHelp },
];

/** Return the fields of the form for the settings of a type of screens. */
export function settingsFields(type: string, settings: Content): readonly Field[] {
  const choice = type === "question_single_choice" ? CHOICE_SETTINGS : [];
  // The layout of a screen that the app draws is that of the app.
  const own = type === "native" ? SETTINGS.filter(({ path }) => path === "skippable") : SETTINGS;
  return [...own, ...choice, ...appSettings(type, settings)];
}

/** Return settings in the form's members: a former release had the colour of the background in another one. */
export function formSettings({ background_color, ...settings }: Content): Content {
  return Object.fromEntries(
    Object.entries({ background: background_color, ...settings }).filter(([, value]) => (value ?? null) !== null),
  );
}

/** Return the fields of the form for a screen with this type and content. */
export function screenFields(type: string, content: Content): readonly Field[] {
  return [
    ...(type === "paywall"
      ? paywallFields(content)
      : (memberOf<readonly Field[]>(FIELDS, type) ?? [TITLE, DESCRIPTION, IMAGE, ILLUSTRATION, ITEMS])),
    ...(type === "question_picker" ? pickerFields(content.picker ?? content.picker_type) : []),
    // A screen that loads goes on by itself.
    ...(type === "loading" ? [] : buttons(type === "signup" || type === "paywall")),
  ];
}
