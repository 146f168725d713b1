import { NumberInput, SegmentedControl, Select, SimpleGrid, Stack, Switch, TextInput, Title } from "@mantine/core";
import { standardColor } from "@onboarding/flow/theme";
import { useState } from "react";
import type { ErrorDetail } from "@/api/schema";
import { BackgroundField } from "@/features/media/BackgroundField";
import { ColorField } from "@/features/media/ColorField";
import { MediaField } from "@/features/media/MediaField";
import { referenceOf } from "@/features/media/references";
import { BackgroundContrast, Contrasts } from "./Contrasts";
import { paletteOf } from "./contrast";
import { type ThemeDocument, valueAt, withValue } from "./document";
import {
  APPEARANCE,
  BACKGROUND,
  BUTTONS,
  CORNERS,
  type ColorName,
  FONTS,
  LOGO,
  paletteFields,
  placeOf,
  SCREENS,
  type ThemeField,
} from "./fields";
import { themeTexts as words } from "./texts";

export interface FormProps {
  document: ThemeDocument;
  /** What the service has refused of the document. */
  errors: readonly ErrorDetail[];
  disabled: boolean;
  /** Changes of one `field` in quick succession are one step of the history. */
  onChange: (document: ThemeDocument, field: string) => void;
}

const PALETTES = [
  { value: "light", label: words.palettes.light },
  { value: "dark", label: words.palettes.dark },
];

/** The form of the document of a theme. */
export function ThemeForm(props: FormProps) {
  const { document, disabled, onChange } = props;
  const [palette, setPalette] = useState("light");
  const isDark = palette === "dark";
  return (
    <Stack gap="md">
      <TextInput
        label={words.name}
        description={words.nameHelp}
        maxLength={50}
        disabled={disabled}
        error={document.name.trim() === "" ? words.nameLength : undefined}
        value={document.name}
        onChange={(event) => onChange({ ...document, name: event.target.value }, "name")}
      />
      <Title order={2}>{words.colors}</Title>
      <SegmentedControl aria-label={words.palette} data={PALETTES} value={palette} onChange={setPalette} />
      <Fields fields={paletteFields(isDark)} {...props} />
      <Contrasts colors={paletteOf(document, isDark)} />
      <Fields fields={[APPEARANCE]} {...props} />
      <Field field={BACKGROUND} {...props} />
      <BackgroundContrast document={document} />
      <Field field={LOGO} {...props} />
      {[FONTS, BUTTONS, CORNERS, SCREENS].map(({ title, fields }) => (
        <Stack key={title} gap="md">
          <Title order={2}>{title}</Title>
          <Fields fields={fields} {...props} />
        </Stack>
      ))}
    </Stack>
  );
}

function Fields({ fields, ...props }: FormProps & { fields: readonly ThemeField[] }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="md">
      {fields.map((field) => (
        <Field key={field.path} field={field} {...props} />
      ))}
    </SimpleGrid>
  );
}

function Field({ field, document, errors, disabled, onChange }: FormProps & { field: ThemeField }) {
  const { label, kind, help, standard } = field;
  const path = placeOf(document, field);
  const value = valueAt(document, path);
  const set = (changed: unknown) => onChange(withValue(document, path, changed), path);
  const error = errors.find(
    ({ field: place }) => place === `document.${path}` || place.startsWith(`document.${path}.`),
  );
  const common = { label, description: help, disabled, error: error?.message, "data-member": path };
  switch (kind) {
    case "color":
      return (
        <ColorField
          {...common}
          placeholder={standardColor(path.split(".").at(-1) as ColorName, document.colors)}
          value={typeof value === "string" ? value : ""}
          onChange={set}
        />
      );
    case "number":
      return (
        <NumberInput
          {...common}
          min={field.min}
          max={field.max}
          step={field.step}
          decimalScale={field.step !== undefined && field.step < 1 ? 2 : 0}
          placeholder={standard}
          value={sizeOf(value)}
          onChange={set}
        />
      );
    case "choice":
      return (
        <Select
          {...common}
          data={field.options?.map((option) => ({ ...option }))}
          placeholder={words.asStandard(field.options?.find((option) => option.value === standard)?.label ?? "")}
          clearable
          value={typeof value === "string" ? value : null}
          onChange={set}
        />
      );
    case "switch":
      return (
        <Switch
          {...common}
          mt="lg"
          checked={value === true}
          onChange={(event) => set(event.currentTarget.checked || undefined)}
        />
      );
    case "font":
      return (
        <MediaField
          {...common}
          isFont
          hasAddress={false}
          value={typeof value === "string" ? { media_id: value } : ""}
          onChange={(chosen) => set(referenceOf(chosen)?.media_id)}
        />
      );
    case "logo":
      return <MediaField {...common} value={value} onChange={set} />;
    case "background":
      return <BackgroundField {...common} none={words.ofPalette} value={value} onChange={set} />;
    default:
      return (
        <TextInput
          {...common}
          placeholder={standard}
          value={typeof value === "string" ? value : ""}
          onChange={(event) => set(event.target.value)}
        />
      );
  }
}

/** Return a size as a number: 16, "16" and "16px" are one; empty without one. */
function sizeOf(value: unknown): number | "" {
  const number = Number.parseFloat(String(value));
  return Number.isFinite(number) ? number : "";
}
