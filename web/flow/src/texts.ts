/** Texts with names in braces, in the contents of screens (docs/logic.md). */

import { options, textOf } from "./content";
import { NAMES } from "./contents";
import { escapeHtml, type Screen } from "./document";
import { timeOf } from "./formulas";
import { type Json, memberOf, object, text } from "./json";

/** What texts show: values by their names, the screens of answers by the same names, and the language of the page. */
export interface Shown {
  values: Json;
  screens: Record<string, Screen>;
  language: string;
}

type List = new (language: string, options: object) => { format(values: string[]): string };

/** A name in braces, its format and its fallback; or braces that are shown. */
export const TEXT =
  "\\\\\\{\\{|\\{\\{\\s*(app_name|platform|locale|country|appVersion|(?:answers|attributes|variables)\\.[^\\s:|{}]+)" +
  "\\s*(?::([^{}|]*))?(?:\\|([^{}]*))?\\}\\}";
/** Members that are values, addresses, ids or known words. */
export const NO_TEXT =
  /^(?:id|value|type|icon|image|illustration|url|href|src|action|permission|picker|unit|component|provider)$|_(?:id|url|key|type|value|position)$/;
/** The members that identify an entry of a list, and their names. */
const IDS: Record<string, [string, readonly string[]]> = {
  options: ["value", NAMES.option.value],
  choices: ["value", NAMES.option.value],
  products: ["product_id", NAMES.product.product_id],
  fields: ["name", NAMES.field.name],
  providers: ["provider", NAMES.provider.provider],
};
const NUMBERS: Record<string, Intl.NumberFormatOptions> = {
  integer: { maximumFractionDigits: 0 },
  percent: { style: "percent" },
};

/** Return a content with the values of the names in its texts. */
export function filled(content: Json, shown: Shown): Json {
  return JSON.stringify(content).includes("{{")
    ? (mapTexts(content, "", (text, member) =>
        NO_TEXT.test(member) ? text : replaced(text, shown, member === "html"),
      ) as Json)
    : content;
}

/** Return a content with other texts. Entries of lists keep the ids that their texts are. */
export function mapTexts(value: unknown, key: string, change: (text: string, member: string) => string): unknown {
  if (typeof value === "string") {
    return change(value, key);
  }
  if (Array.isArray(value)) {
    return value.map((entry) => withId(entry, mapTexts(entry, key, change), key));
  }
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapTexts(item, name, change)]));
  }
  return value;
}

/** Return an entry of a list with the id that it has without values in its texts: a label can be an id, too. */
function withId(entry: unknown, changed: unknown, key: string): unknown {
  const [member, names] = memberOf(IDS, key) ?? [];
  if (!member || !names || JSON.stringify(entry) === JSON.stringify(changed)) {
    return changed;
  }
  const id = text(entry, textOf(object(entry), names));
  return { ...object(changed), ...(typeof changed === "string" ? { label: changed } : {}), [member]: id };
}

/** In HTML, values are escaped, and addresses stay. */
function replaced(given: string, shown: Shown, isHtml = false): string {
  const pattern = new RegExp(isHtml ? `(?:href|src)="[^"]*"|${TEXT}` : TEXT, "g");
  return given.replace(pattern, (match: string, name?: string, format = "", fallback = "") => {
    if (!name) {
      return match.replace(/^\\/, "");
    }
    const value = textFor(name, format.trim(), shown);
    return (isHtml ? escapeHtml(value) : value) || fallback.trim();
  });
}

function textFor(name: string, format: string, shown: Shown): string {
  const { values, screens, language } = shown;
  const labels = options(memberOf(screens, name)?.content ?? {});
  const found = [memberOf(values, name) ?? []].flat().map((value) => {
    const option = labels.find((one) => one.value === value);
    // A label can have names itself. There an answer is its value, because its label could have the same name.
    return option ? replaced(option.label, { ...shown, screens: {} }) : textOfValue(value, format, language);
  });
  const ListFormat = (Intl as unknown as { ListFormat?: List }).ListFormat;
  const joined =
    found.length > 1 && ListFormat ? new ListFormat(language, { type: "conjunction" }).format(found) : found.join(", ");
  switch (format) {
    case "upper":
      return joined.toLocaleUpperCase(language);
    case "lower":
      return joined.toLocaleLowerCase(language);
    case "title":
      return joined.replace(/(^|\s)\S/gu, (start) => start.toLocaleUpperCase(language));
    default:
      return joined;
  }
}

/** Return a number and a date in a format, or in the standard one of the language where the format is for others. */
function textOfValue(value: unknown, format: string, language: string): string {
  if (typeof value === "number") {
    const currency = /^currency\(([A-Za-z]{3})\)$/.exec(format)?.[1];
    const style = currency ? { style: "currency", currency } : memberOf(NUMBERS, format);
    return new Intl.NumberFormat(language, style as Intl.NumberFormatOptions).format(value);
  }
  const time = timeOf(value);
  if (Number.isNaN(time)) {
    return String(value);
  }
  const day = format === "month" ? {} : { year: "numeric", day: "numeric" };
  const style = { ...day, month: "long", calendar: "gregory", timeZone: "UTC" } as Intl.DateTimeFormatOptions;
  return new Intl.DateTimeFormat(language, style).format(time);
}
