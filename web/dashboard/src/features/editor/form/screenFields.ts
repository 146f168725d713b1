import {
  type Contents,
  FIELD_TYPES,
  ILLUSTRATIONS,
  PERMISSIONS,
  PICKER_KINDS,
  type Question,
  type QuestionPicker,
} from "@onboarding/flow/contents";
import { memberOf } from "@onboarding/flow/json";
import { texts } from "@/texts";
import type { Content } from "../document";

const words = texts.editor.fields;

/** A field of the form for a screen; `path` is a member of the content, by the schema of contents. */
export type Field<Path extends string = string> =
  | { kind: "text" | "long" | "number"; path: Path; label: string; help?: string }
  /** `standard` is the value of a content without the member. */
  | { kind: "toggle"; path: Path; label: string; standard?: boolean; help?: string }
  | { kind: "select"; path: Path; label: string; options: readonly string[]; help?: string; clearable?: boolean }
  /** `asks`: pages ask the app before they go on, as on a sign-up. */
  | { kind: "button"; path: Path; label: string; asks?: boolean }
  | { kind: "texts"; path: Path; label: string; add: string }
  | { kind: "list"; path: Path; label: string; add: string; item: readonly Field[]; blank: Content };

const text = <Path extends string>(path: Path, label: string, help?: string): Field<Path> => ({
  kind: "text",
  path,
  label,
  help,
});
const long = <Path extends string>(path: Path, label: string, help?: string): Field<Path> => ({
  kind: "long",
  path,
  label,
  help,
});
const number = <Path extends string>(path: Path, label: string): Field<Path> => ({ kind: "number", path, label });
const toggle = <Path extends string>(path: Path, label: string, standard = false): Field<Path> => ({
  kind: "toggle",
  path,
  label,
  standard,
});

const TITLE = text("title", words.title, words.titleHelp);
const SUBTITLE = long("subtitle", words.subtitle);
const DESCRIPTION = long("description", words.description);
const IMAGE = text("image_url", words.image, words.imageHelp);
const ILLUSTRATION: Field<"illustration"> = {
  kind: "select",
  path: "illustration",
  label: words.illustration,
  options: ILLUSTRATIONS,
  help: words.illustrationHelp,
  clearable: true,
};
const LEGAL = long("legal_text", words.legal);
const buttons = (asks: boolean): readonly Field[] => [
  { kind: "button", path: "primary_button", label: words.primaryButton, asks },
  { kind: "button", path: "secondary_button", label: words.secondaryButton },
];
const QUESTION: readonly Field<keyof Question>[] = [
  text("question", words.question),
  text("answer_key", words.answerKey, words.answerKeyHelp),
];
const OPTIONS: Field<"options"> = {
  kind: "list",
  path: "options",
  label: words.options,
  add: words.addOption,
  item: [text("label", words.label), text("value", words.value)],
  blank: { label: "", value: "" },
};

const FIELDS: { readonly [Type in keyof Contents]: readonly Field<string & keyof Contents[Type]>[] } = {
  welcome: [TITLE, SUBTITLE, IMAGE, ILLUSTRATION],
  feature: [
    TITLE,
    DESCRIPTION,
    IMAGE,
    ILLUSTRATION,
    {
      kind: "list",
      path: "items",
      label: words.items,
      add: words.addItem,
      item: [text("title", words.title), text("description", words.description), text("icon", words.icon)],
      blank: { icon: "check", title: "", description: "" },
    },
  ],
  permissions: [
    TITLE,
    DESCRIPTION,
    {
      kind: "select",
      path: "permission",
      label: words.permission,
      options: PERMISSIONS.filter((name) => name !== "notification"),
      help: words.permissionHelp,
    },
    text("icon", words.icon),
  ],
  signup: [
    TITLE,
    SUBTITLE,
    { kind: "texts", path: "providers", label: words.providers, add: words.addProvider },
    {
      kind: "list",
      path: "fields",
      label: words.signupFields,
      add: words.addField,
      item: [
        text("label", words.label),
        text("name", words.name),
        { kind: "select", path: "type", label: words.fieldType, options: FIELD_TYPES },
        toggle("required", words.required),
      ],
      blank: { name: "", type: "text", label: "", required: false },
    },
    LEGAL,
  ],
  question_text: [
    ...QUESTION,
    text("placeholder", words.placeholder),
    number("max_length", words.maxLength),
    toggle("required", words.required),
  ],
  question_single_choice: [...QUESTION, text("hint", words.hint), OPTIONS, toggle("required", words.required, true)],
  question_multiple_choice: [
    ...QUESTION,
    text("hint", words.hint),
    OPTIONS,
    number("min_selected", words.minSelected),
    number("max_selected", words.maxSelected),
  ],
  question_picker: [...QUESTION, { kind: "select", path: "picker", label: words.picker, options: PICKER_KINDS }],
  paywall: [
    TITLE,
    { kind: "texts", path: "benefits", label: words.benefits, add: words.addBenefit },
    {
      kind: "list",
      path: "products",
      label: words.products,
      add: words.addProduct,
      item: [
        text("label", words.label),
        text("product_id", words.productId),
        text("badge", words.badge),
        toggle("is_preselected", words.preselected),
      ],
      blank: { product_id: "", label: "", badge: null, is_preselected: false },
    },
    LEGAL,
  ],
  custom: [long("html", words.html, words.htmlHelp), text("component", words.component, words.componentHelp)],
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

/** Return the fields of the form for a screen with this type and content. */
export function screenFields(type: string, content: Content): readonly Field[] {
  return [
    ...(memberOf<readonly Field[]>(FIELDS, type) ?? [TITLE, DESCRIPTION]),
    ...(type === "question_picker" ? pickerFields(content.picker) : []),
    ...buttons(type === "signup" || type === "paywall"),
  ];
}
