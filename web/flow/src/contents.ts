// Generated from common/wire/screen_contents.json by `make generate`; do not edit.

/** The names of members. The first one that has a value counts. */
export const NAMES = {
  button: {
    label: ["label", "text", "title"],
    url: ["url", "href"],
  },
  option: {
    value: ["value", "id", "label", "title", "text"],
    label: ["label", "title", "text", "value"],
  },
  item: {
    title: ["title", "label", "text"],
    description: ["description", "subtitle"],
  },
  product: {
    product_id: ["product_id", "id", "label", "title", "name"],
    label: ["label", "title", "name", "product_id"],
    price: ["price", "description"],
  },
  field: {
    name: ["name", "label"],
    label: ["label", "placeholder"],
  },
  provider: {
    provider: ["provider", "name", "id", "label"],
  },
  row: {
    label: ["label", "title"],
    text: ["text", "description", "value"],
  },
  quote: {
    text: ["text", "quote"],
    name: ["name", "author"],
  },
  column: {
    title: ["title", "label"],
  },
  consent_item: {
    name: ["name", "label"],
    label: ["label", "title", "text"],
  },
  step: {
    label: ["label", "title", "text"],
  },
  screen: {
    title: ["title", "question", "heading", "headline"],
    subtitle: ["subtitle", "description", "text"],
    image_url: ["image_url", "image"],
    items: ["items", "features", "benefits"],
    primary_button: ["primary_button", "button_text", "button", "cta"],
    secondary_button: ["secondary_button", "secondary_button_text"],
  },
  choice: {
    options: ["options", "choices"],
  },
  question_picker: {
    picker: ["picker", "picker_type"],
  },
} as const;
export type Text = string | number | null;
export type Flag = boolean | null;
export type Number = number | string | null;
export const NUMBER_PATTERN = /^\s*([-+]?[0-9]+(\.[0-9]*)?)?\s*$/;
export type Value = string | number | null;
export type Image = string | { media_id?: string; alt?: string; } | null;
export const IMAGE_PATTERN = /^\s*([Hh][Tt][Tt][Pp][Ss]:\/\/.*|data:image\/.*|welcome|overview|plan|share|goal|fitness|mindful|finance|savings|learning|language|shopping|delivery|news|chat|friends|notifications|security|location|photos|sleep|food|travel|celebrate|sunrise|night|silk|harvest|podium|stairs|track|city)?\s*$/;

export const ILLUSTRATIONS = ["welcome", "overview", "plan", "share", "goal", "fitness", "mindful", "finance", "savings", "learning", "language", "shopping", "delivery", "news", "chat", "friends", "notifications", "security", "location", "photos", "sleep", "food", "travel", "celebrate", "sunrise", "night", "silk", "harvest", "podium", "stairs", "track", "city"] as const;
export type Illustration = (typeof ILLUSTRATIONS)[number] | "" | null;
export type Icon = IconName | string | null;
export const ICON_PATTERN = /^[^a-zA-Z]{0,8}$/;

export const ICON_NAMES = ["back", "bag", "bank", "bed", "bell", "bike", "bolt", "book", "briefcase", "calendar", "camera", "car", "card", "cart", "chart", "chat", "check", "clock", "close", "coffee", "coin", "compass", "crown", "dumbbell", "eye", "flag", "flame", "food", "gift", "globe", "headphones", "heart", "home", "image", "key", "leaf", "link", "lock", "mail", "map_pin", "microphone", "moon", "music", "pencil", "people", "phone", "plane", "play", "plus", "rocket", "run", "search", "shield", "spark", "star", "sun", "target", "thumbs_up", "trophy", "water", "contacts", "email", "location", "notification", "notifications", "photos", "pin", "privacy", "security", "time", "tracking"] as const;
export type IconName = (typeof ICON_NAMES)[number];
export type Emoji = string | null;
export type MediaId = string | null;
export type OptionImage = string | { } | null;
export type AppData = { } | null;

export const PERMISSIONS = ["notifications", "notification", "camera", "photos", "location", "contacts", "microphone", "tracking"] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const COLUMN_COUNTS = [1, 2] as const;
export type ColumnCount = (typeof COLUMN_COUNTS)[number] | null;

export const PAYWALL_LAYOUTS = ["list", "cards", "timeline", "comparison"] as const;
export type PaywallLayout = (typeof PAYWALL_LAYOUTS)[number] | null;

export const PICKER_KINDS = ["time", "date", "number", "height", "weight", "options"] as const;
export type PickerKind = (typeof PICKER_KINDS)[number] | null;

export const ACTIONS = ["next", "submit", "skip", "request_permission", "rate", "open_url", "close", "sign_in", "purchase", "restore"] as const;
export type Action = string | null;

export const FIELD_TYPES = ["text", "email", "phone", "name", "first_name", "last_name"] as const;
export type FieldType = string | null;
export type Button = { text?: Text; title?: Text; href?: Text; label?: Text; action?: Action; url?: Text; } | string | number | null;
export type Option = { id?: Value; label?: Text; title?: Text; text?: Text; value?: Value; description?: Text; icon?: Icon; emoji?: Emoji; media_id?: MediaId; image?: OptionImage; } | string | number;
export type Item = { label?: Text; text?: Text; subtitle?: Text; icon?: Icon; title?: Text; description?: Text; } | string | number;
export type Product = { id?: Value; label?: Text; title?: Text; name?: Text; product_id?: Value; description?: Text; badge?: Text; price?: Text; price_text?: Text; period_text?: Text; per_month_text?: Text; trial_text?: Text; is_preselected?: Flag; } | string | number;
export type Field = { label?: Text; placeholder?: Text; name?: Text; type?: FieldType; required?: Flag; } | string;
export type Provider = { name?: Text; id?: Text; label?: Text; provider?: Text; } | string;
export type Row = { title?: Text; description?: Text; value?: Text; icon?: Icon; label?: Text; text?: Text; } | string | number;
export type Quote = { quote?: Text; author?: Text; text?: Text; name?: Text; stars?: number | null; image?: Image; } | string | number;
export type Column = { label?: Text; title?: Text; points?: Text[] | null; };
export type ConsentItem = { label?: Text; title?: Text; text?: Text; name?: Text; required?: Flag; url?: Text; } | string;
export type Step = { title?: Text; text?: Text; label?: Text; } | string | number;
export type Screen = { question?: Text; heading?: Text; headline?: Text; description?: Text; text?: Text; image?: Image; features?: Item[] | null; benefits?: Item[] | null; button_text?: Button; button?: Button; cta?: Button; secondary_button_text?: Button; title?: Text; subtitle?: Text; image_url?: Image; illustration?: Illustration; items?: Item[] | null; primary_button?: Button; secondary_button?: Button; };
export type Question = Screen & { answer_key?: Text; hint?: Text; required?: Flag; };
export type Choice = Question & { choices?: Option[] | null; options?: Option[] | null; columns?: ColumnCount; };
export type Welcome = Screen;
export type Feature = Screen & { image_position?: Text; };
export type Permissions = Screen & { permission?: Permission; icon?: Icon; };
export type Signup = Screen & { fields?: Field[] | null; providers?: Provider[] | null; legal_text?: Text; };
export type QuestionText = Question & { placeholder?: Text; max_length?: Number; multiline?: Flag; default_value?: Value; };
export type QuestionSingleChoice = Choice;
export type QuestionMultipleChoice = Choice & { min_selected?: Number; max_selected?: Number; };
export type QuestionPicker = Choice & { picker_type?: PickerKind; picker?: PickerKind; min_value?: Value; max_value?: Value; step?: Number; default_value?: Value; unit?: Text; };
export type Paywall = Screen & { products?: Product[] | null; layout?: PaywallLayout; timeline?: Row[] | null; columns?: Column[] | null; cta_by_product?: Record<string, Text> | null; legal_text?: Text; restore_link?: Flag; terms_url?: Text; privacy_url?: Text; close_button?: Flag; close_delay_seconds?: number | null; };
export type Loading = Screen & { steps?: Step[] | null; seconds?: number | null; };
export type Summary = Screen & { rows?: Row[] | null; };
export type SocialProof = Screen & { quotes?: Quote[] | null; rating?: number | string | null; };
export type Comparison = Screen & { columns?: Column[] | null; };
export type Consent = Screen & { items?: ConsentItem[] | null; };
export type Native = Screen & { name?: string | null; data?: AppData; };
export type Custom = Screen & { html?: Text; component?: Text; };

export const LAYOUTS = ["standard", "hero", "cover", "split_top", "centered"] as const;

/** The contents by type of screen. */
export interface Contents {
  welcome: Welcome;
  feature: Feature;
  permissions: Permissions;
  signup: Signup;
  question_text: QuestionText;
  question_single_choice: QuestionSingleChoice;
  question_multiple_choice: QuestionMultipleChoice;
  question_picker: QuestionPicker;
  paywall: Paywall;
  loading: Loading;
  summary: Summary;
  social_proof: SocialProof;
  comparison: Comparison;
  consent: Consent;
  native: Native;
  custom: Custom;
}
