import { Button, Fieldset, Select, Stack, Switch, TextInput } from "@mantine/core";
import { ACTIONS, NAMES } from "@onboarding/flow/contents";
import { useState } from "react";
import { editorTexts } from "@/features/editor/texts";
import { BackgroundField } from "@/features/media/BackgroundField";
import { MediaField } from "@/features/media/MediaField";
import type { Content } from "../document";
import { TextField } from "../variables/TextField";
import { namedItem, nameIn } from "./aliases";
import { EntryList } from "./EntryList";
import type { Field } from "./fields";
import { hintOf } from "./hints";
import { JsonField } from "./JsonField";
import { IconField, IllustrationField } from "./PictureFields";

const words = editorTexts.fields;

interface FieldProps {
  field: Field;
  content: Content;
  /** The path of the object that has the member, with a dot at its end. */
  within?: string;
  /** Return the error of a member, by its path. */
  errorOf: (path: string) => string | undefined;
  disabled: boolean;
  onChange: (value: unknown) => void;
}

function asText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** The input for one member of a screen's content. */
export function ContentField({ field, content, within = "", errorOf, disabled, onChange }: FieldProps) {
  const value = content[field.path];
  const error = errorOf(field.path);
  const help = error === undefined ? (hintOf(field, value) ?? ("help" in field ? field.help : undefined)) : undefined;
  const common = { label: field.label, error, disabled };
  const text = { ...common, description: help, value: asText(value), "data-member": within + field.path };
  switch (field.kind) {
    case "text":
      return <TextField {...text} onChange={onChange} />;
    case "image":
      return <MediaField {...text} value={value} error={errorWithin(errorOf, field.path)} onChange={onChange} />;
    case "file":
      return (
        <MediaField
          {...text}
          hasAddress={false}
          value={value ? { media_id: value } : null}
          onChange={(next) => onChange(typeof next === "object" ? next.media_id : undefined)}
        />
      );
    case "icon":
      return <IconField {...text} onChange={onChange} />;
    case "illustration":
      return <IllustrationField {...text} onChange={onChange} />;
    case "json":
      return <JsonField {...text} value={value} onChange={onChange} />;
    case "background":
      return <BackgroundField {...text} value={value} error={errorWithin(errorOf, field.path)} onChange={onChange} />;
    case "long":
      return <TextField {...text} isLong onChange={onChange} />;
    case "lines":
      return (
        <TextField
          {...text}
          isLong
          value={Array.isArray(value) ? value.map(asText).join("\n") : ""}
          onChange={(next) => onChange(next === "" ? [] : next.split("\n"))}
        />
      );
    case "number":
      return <NumberField {...common} description={help} value={value} between={field.between} onChange={onChange} />;
    case "toggle":
      return (
        <Switch
          {...common}
          description={help}
          checked={typeof value === "boolean" ? value : field.standard === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case "select":
      return (
        <Select
          {...text}
          data={[...new Set([...field.options, ...(asText(value) ? [asText(value)] : [])])].map((name) =>
            option(name, field.names),
          )}
          value={asText(value) || null}
          allowDeselect={false}
          clearable={field.clearable}
          onChange={(next) => onChange(field.isNumber && next ? Number(next) : next)}
        />
      );
    case "labels":
      return <LabelsField {...common} field={field} description={help} value={value} onChange={onChange} />;
    case "button":
      return <ButtonField {...common} path={field.path} asks={field.asks === true} value={value} onChange={onChange} />;
    case "texts":
      return <TextsField field={field} value={value} errorOf={errorOf} disabled={disabled} onChange={onChange} />;
    case "list":
      return <ListField field={field} value={value} errorOf={errorOf} disabled={disabled} onChange={onChange} />;
  }
}

/** Return the first error of a member or of its own members. */
function errorWithin(errorOf: FieldProps["errorOf"], path: string): string | undefined {
  const inner = ["gradient", "gradient.0", "gradient.1", "gradient.2", "gradient.3", "angle", "media_id"];
  return [path, ...inner.map((name) => `${path}.${name}`)].map(errorOf).find((error) => error !== undefined);
}

function option(value: string, names: Readonly<Record<string, string>> = {}) {
  return { value, label: names[value] ?? words.choices[value] ?? value };
}

interface ValueProps {
  label: string;
  value: unknown;
  error: string | undefined;
  disabled: boolean;
  onChange: (value: unknown) => void;
}

/** Return the number of a typed text; null for a text that is none. */
function numberOf(text: string): number | null {
  return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : null;
}

interface NumberProps extends ValueProps {
  description: string | undefined;
  between: readonly [number, number] | undefined;
}

/** A number. A text that becomes one, such as "0.", stays as it is typed; one outside of the limits is not stored. */
function NumberField({ value, error, between, onChange, ...input }: NumberProps) {
  const [typed, setTyped] = useState(asText(value));
  const within = (text: string) => {
    const found = numberOf(text);
    return found !== null && between && (found < between[0] || found > between[1]) ? null : found;
  };
  const shown = within(typed) === numberOf(asText(value)) ? typed : asText(value);
  const problem = between ? words.between(...between) : words.notNumber;
  return (
    <TextInput
      {...input}
      error={error ?? (shown.trim() !== "" && within(shown) === null ? problem : undefined)}
      inputMode="decimal"
      value={shown}
      onChange={(event) => {
        setTyped(event.target.value);
        onChange(within(event.target.value));
      }}
    />
  );
}

interface LabelsProps extends ValueProps {
  field: Extract<Field, { kind: "labels" }>;
  description: string | undefined;
}

/** A label for each of some keys. Those of other keys stay: their product may come back. */
function LabelsField({ field, label, description, value, error, disabled, onChange }: LabelsProps) {
  const labels = typeof value === "object" && value !== null ? (value as Content) : {};
  return (
    <Fieldset legend={label} disabled={disabled} p="sm">
      <Stack gap="xs">
        {field.keys.map(({ key, label: name }, place) => (
          <TextField
            key={key}
            label={name}
            description={place === 0 ? description : undefined}
            error={place === 0 ? error : undefined}
            disabled={disabled}
            value={asText(labels[key])}
            data-member={`${field.path}.${key}`}
            onChange={(next) => {
              const { [key]: _, ...others } = labels;
              onChange(next ? { ...others, [key]: next } : others);
            }}
          />
        ))}
      </Stack>
    </Fieldset>
  );
}

/** Actions whose messages published SDKs ignore. */
const UNHEARD = new Set(["open_url", "sign_in", "purchase", "restore"]);

/** A button of a screen: its label and its action. A button without a label is not shown, and keeps its action. */
function ButtonField({
  label,
  path,
  asks,
  value,
  error,
  disabled,
  onChange,
}: ValueProps & { path: string; asks: boolean }) {
  const button: Content =
    typeof value === "string" ? { label: value, action: "next" } : ((value as Content | null | undefined) ?? {});
  const action = asText(button.action) || "next";
  const labelName = nameIn(button, NAMES.button.label);
  const urlName = nameIn(button, NAMES.button.url);
  const url = asText(button[urlName]);
  const isUnheard = UNHEARD.has(action) || (asks && (action === "next" || action === "submit"));
  const change = (changes: Content) => onChange({ action: "next", ...button, ...changes });
  return (
    <Fieldset legend={label} disabled={disabled} p="sm">
      <Stack gap="xs">
        <TextField
          label={words.label}
          error={error}
          disabled={disabled}
          data-member={path}
          value={asText(button[labelName])}
          onChange={(next) => change({ [labelName]: next })}
        />
        {Boolean(value) && (
          <Select
            label={words.action}
            description={isUnheard ? words.unheard : undefined}
            data={[...new Set([...ACTIONS, action])].map((name) => option(name))}
            value={action}
            allowDeselect={false}
            onChange={(next) => change({ action: next })}
          />
        )}
        {action === "open_url" && (
          <TextInput
            label={words.url}
            description={url && !/^https:\/\//i.test(url) ? words.notOpened : undefined}
            placeholder="https://"
            value={url}
            onChange={(event) => change({ [urlName]: event.target.value })}
          />
        )}
      </Stack>
    </Fieldset>
  );
}

interface ListProps<Kind extends Field["kind"]> extends Omit<FieldProps, "field" | "content"> {
  field: Extract<Field, { kind: Kind }>;
  value: unknown;
}

/** A list of texts. */
function TextsField({ field, value, errorOf, disabled, onChange }: ListProps<"texts">) {
  return (
    <EntryList
      isLine
      label={field.label}
      add={field.add}
      list={Array.isArray(value) ? value : []}
      blank={field.blank ?? ""}
      error={errorOf(field.path)}
      disabled={disabled}
      copyOf={(entry) => entry}
      isShown={(entry) => field.read([entry]).length > 0}
      onChange={onChange}
    >
      {(entry, index, change) => (
        <TextField
          flex={1}
          aria-label={words.entry(field.label, index + 1)}
          disabled={disabled}
          value={textIn(entry, field.path)}
          data-member={`${field.path}.${index}`}
          onChange={(next) => change(isObject(entry) ? { ...entry, [textName(entry, field.path)]: next } : next)}
        />
      )}
    </EntryList>
  );
}

/** The members of objects in lists of texts that are the text. */
const TEXTS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  providers: ["label", ...NAMES.provider.provider],
  steps: NAMES.step.label,
};

function isObject(entry: unknown): entry is Content {
  return typeof entry === "object" && entry !== null;
}

function textName(entry: Content, list: string): string {
  return nameIn(entry, TEXTS[list] ?? NAMES.item.title);
}

function textIn(entry: unknown, list: string): string {
  return asText(isObject(entry) ? entry[textName(entry, list)] : entry);
}

/** Return an entry as an object. A plain text is its label, as hosted pages take it. */
function asItem(entry: unknown): Content {
  return isObject(entry) ? { ...entry } : { label: entry, value: entry };
}

/** A list of objects, such as the options of a question. */
function ListField({ field, value, errorOf, disabled, onChange }: ListProps<"list">) {
  return (
    <EntryList
      label={field.label}
      add={field.add}
      list={Array.isArray(value) ? value : []}
      blank={field.blank}
      error={errorOf(field.path)}
      disabled={disabled}
      copyOf={(entry) => ({ ...asItem(entry), ...field.unique })}
      isFull={Array.isArray(value) && value.length >= (field.max ?? Number.POSITIVE_INFINITY)}
      isShown={(entry) => field.read([entry]).length > 0}
      onChange={onChange}
    >
      {(entry, index, change) => (
        <ItemFields
          field={field}
          item={asItem(entry)}
          within={`${field.path}.${index}.`}
          errorOf={(path) => errorOf(`${field.path}.${index}.${path}`)}
          disabled={disabled}
          onChange={change}
        />
      )}
    </EntryList>
  );
}

interface ItemProps extends Omit<FieldProps, "content"> {
  field: Extract<Field, { kind: "list" }>;
  item: Content;
}

/** The fields of an entry. Those after the first `field.brief` are behind a button, unless one has an error. */
function ItemFields({ field, item, within, errorOf, disabled, onChange }: ItemProps) {
  const [isOpen, setOpen] = useState(false);
  const fields = namedItem(field.path, field.item, item);
  const valueAt = (member: string) => item[fields[field.item.findIndex(({ path }) => path === member)]?.path ?? member];
  const brief = fields.slice(0, field.brief);
  const rest = fields.slice(brief.length);
  const isShown = isOpen || rest.some(({ path }) => errorOf(path) !== undefined);
  // Pages take the label of an option without a value.
  const complete = () => {
    const label = valueAt("label");
    const name = valueAt("name") ? "" : field.nameOf?.(asText(label));
    if ("value" in field.blank && !valueAt("value") && label) {
      onChange({ ...item, value: label });
    } else if (name) {
      onChange({ ...item, name });
    }
  };
  return (
    <Stack gap="xs" onBlur={complete}>
      {(isShown ? fields : brief).map((inner, place) => (
        <ContentField
          key={field.item[place]?.path}
          field={inner}
          content={item}
          within={within}
          disabled={disabled}
          errorOf={errorOf}
          onChange={(next) => onChange({ ...item, [inner.path]: next })}
        />
      ))}
      {!isShown && rest.length > 0 && (
        <Button variant="subtle" color="gray" size="compact-xs" mr="auto" onClick={() => setOpen(true)}>
          {words.more}
        </Button>
      )}
    </Stack>
  );
}
