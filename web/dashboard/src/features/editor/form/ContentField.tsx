import {
  ActionIcon,
  Button,
  Fieldset,
  Group,
  NumberInput,
  Select,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { ACTIONS } from "@onboarding/flow/contents";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { texts } from "@/texts";
import type { Content } from "../document";
import type { Field } from "./screenFields";

const words = texts.editor.fields;

interface FieldProps {
  field: Field;
  content: Content;
  /** Return the error of a member, by its path. */
  errorOf: (path: string) => string | undefined;
  disabled: boolean;
  onChange: (value: unknown) => void;
}

function asText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** The input for one member of a screen's content. */
export function ContentField({ field, content, errorOf, disabled, onChange }: FieldProps) {
  const value = content[field.path];
  const error = errorOf(field.path);
  const common = { label: field.label, error, disabled };
  const help = "help" in field && error === undefined ? field.help : undefined;
  switch (field.kind) {
    case "text":
      return (
        <TextInput
          {...common}
          description={help}
          value={asText(value)}
          onChange={(event) => onChange(event.target.value)}
        />
      );
    case "long":
      return (
        <Textarea
          {...common}
          description={help}
          autosize
          minRows={2}
          maxRows={12}
          value={asText(value)}
          onChange={(event) => onChange(event.target.value)}
        />
      );
    case "number":
      return <NumberField {...common} description={help} value={value} onChange={onChange} />;
    case "toggle":
      return (
        <Switch
          {...common}
          checked={typeof value === "boolean" ? value : field.standard === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case "select":
      return (
        <Select
          {...common}
          description={help}
          data={[...new Set([...field.options, ...(asText(value) ? [asText(value)] : [])])].map(option)}
          value={asText(value) || null}
          allowDeselect={false}
          clearable={field.clearable}
          onChange={onChange}
        />
      );
    case "button":
      return <ButtonField {...common} asks={field.asks === true} value={value} onChange={onChange} />;
    case "texts":
      return <TextsField {...common} add={field.add} value={value} onChange={onChange} />;
    case "list":
      return <ListField field={field} value={value} errorOf={errorOf} disabled={disabled} onChange={onChange} />;
  }
}

function option(value: string) {
  return { value, label: words.choices[value] ?? value };
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

/** A number. A text that becomes one, such as "0.", stays as it is typed. */
function NumberField({ value, onChange, ...input }: ValueProps & { description: string | undefined }) {
  const [typed, setTyped] = useState(asText(value));
  return (
    <NumberInput
      {...input}
      value={numberOf(typed) === numberOf(asText(value)) ? typed : asText(value)}
      onChange={(next) => {
        setTyped(String(next));
        onChange(numberOf(String(next)));
      }}
    />
  );
}

/** Actions whose messages published SDKs ignore. */
const UNHEARD = new Set(["open_url", "sign_in", "purchase", "restore"]);

/** A button of a screen: its label and its action. A button without a label is not shown, and keeps its action. */
function ButtonField({ label, asks, value, error, disabled, onChange }: ValueProps & { asks: boolean }) {
  const button: Content =
    typeof value === "string" ? { label: value, action: "next" } : ((value as Content | null | undefined) ?? {});
  const action = asText(button.action) || "next";
  const isUnheard = UNHEARD.has(action) || (asks && (action === "next" || action === "submit"));
  const change = (changes: Content) => onChange({ action: "next", ...button, ...changes });
  return (
    <Fieldset legend={label} disabled={disabled} p="sm">
      <Stack gap="xs">
        <TextInput
          label={words.label}
          error={error}
          value={asText(button.label)}
          onChange={(event) => change({ label: event.target.value })}
        />
        {Boolean(value) && (
          <Select
            label={words.action}
            description={isUnheard ? words.unheard : undefined}
            data={[...new Set([...ACTIONS, action])].map(option)}
            value={action}
            allowDeselect={false}
            onChange={(next) => change({ action: next })}
          />
        )}
        {action === "open_url" && (
          <TextInput
            label={words.url}
            placeholder="https://"
            value={asText(button.url)}
            onChange={(event) => change({ url: event.target.value })}
          />
        )}
      </Stack>
    </Fieldset>
  );
}

function RemoveButton({ label, disabled, onClick }: { label: string; disabled: boolean; onClick: () => void }) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} disabled={disabled} onClick={onClick}>
      <IconTrash size={18} />
    </ActionIcon>
  );
}

function AddButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button variant="subtle" size="xs" leftSection={<IconPlus size={16} />} onClick={onClick}>
      {label}
    </Button>
  );
}

function TextsField({ label, add, value, error, disabled, onChange }: ValueProps & { add: string }) {
  const list = Array.isArray(value) ? value : [];
  return (
    <Fieldset legend={label} disabled={disabled} p="sm">
      <Stack gap="xs">
        {list.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: texts have no ids, and each input shows its value
          <Group key={index} gap={4} wrap="nowrap">
            <TextInput
              flex={1}
              aria-label={words.entry(label, index + 1)}
              value={asText(entry) || asText((entry as Content | null)?.label)}
              onChange={({ target }) => onChange(list.with(index, relabelled(entry, target.value)))}
            />
            <RemoveButton
              label={words.removeEntry(label, index + 1)}
              disabled={disabled}
              onClick={() => onChange(list.toSpliced(index, 1))}
            />
          </Group>
        ))}
        <ErrorText error={error} />
        {!disabled && <AddButton label={add} onClick={() => onChange([...list, ""])} />}
      </Stack>
    </Fieldset>
  );
}

/** Return an entry with another label; further members of an object stay. */
function relabelled(entry: unknown, label: string): unknown {
  return typeof entry === "object" && entry !== null ? { ...entry, label } : label;
}

function ErrorText({ error }: { error: string | undefined }) {
  return error ? (
    <Text size="xs" c="var(--mantine-color-error)" role="alert">
      {error}
    </Text>
  ) : null;
}

interface ListProps extends Omit<FieldProps, "field" | "content"> {
  field: Extract<Field, { kind: "list" }>;
  value: unknown;
}

/** A list of objects, such as the options of a question. */
function ListField({ field, value, errorOf, disabled, onChange }: ListProps) {
  const list = Array.isArray(value) ? value : [];
  return (
    <Fieldset legend={field.label} disabled={disabled} p="sm">
      <Stack gap="md">
        {list.map((entry, index) => {
          // A plain text is taken as the label, as the hosted pages do.
          const item: Content = typeof entry === "object" && entry !== null ? entry : { label: entry, value: entry };
          // Pages take the label of an option without a value.
          const complete = () =>
            "value" in field.blank && !item.value && item.label
              ? onChange(list.with(index, { ...item, value: item.label }))
              : undefined;
          const name = words.entry(field.label, index + 1);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: items have no ids, and each input shows its value
            <Stack key={index} gap="xs" role="group" aria-label={name} onBlur={complete}>
              <Group justify="space-between">
                <Text size="xs" c="dimmed">
                  {index + 1}
                </Text>
                <RemoveButton
                  label={words.removeEntry(field.label, index + 1)}
                  disabled={disabled}
                  onClick={() => onChange(list.toSpliced(index, 1))}
                />
              </Group>
              {field.item.map((inner) => (
                <ContentField
                  key={inner.path}
                  field={inner}
                  content={item}
                  disabled={disabled}
                  errorOf={(path) => errorOf(`${field.path}.${index}.${path}`)}
                  onChange={(next) => onChange(list.with(index, { ...item, [inner.path]: next }))}
                />
              ))}
            </Stack>
          );
        })}
        <ErrorText error={errorOf(field.path)} />
        {!disabled && <AddButton label={field.add} onClick={() => onChange([...list, field.blank])} />}
      </Stack>
    </Fieldset>
  );
}
