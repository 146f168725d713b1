import { Autocomplete, Group, Select, Text } from "@mantine/core";
import { ICON_NAMES, ILLUSTRATIONS } from "@onboarding/flow/contents";
import { BASE_ICONS, iconName } from "@onboarding/flow/icons";
import { memberOf } from "@onboarding/flow/json";
import { MORE_ICONS } from "@onboarding/flow/moreIcons";
import classes from "../Editor.module.css";

interface PictureFieldProps {
  label: string;
  description: string | undefined;
  error: string | undefined;
  disabled: boolean;
  value: string;
  "data-member": string;
  onChange: (value: string | null) => void;
}

const PATHS: Record<string, string> = { ...BASE_ICONS, ...MORE_ICONS };
const DRAWN = ICON_NAMES.filter((name) => name in PATHS);

/** The drawings of the pages, which the dashboard ships too. */
const FILES = import.meta.glob<string>("../../../../../flow/illustrations/*.svg", {
  eager: true,
  query: "?url",
  import: "default",
});

/** The input for an icon: its name, found by typing a part of it, or an emoji. */
export function IconField({ value, ...input }: PictureFieldProps) {
  const chosen = memberOf(PATHS, iconName(value));
  return (
    <Autocomplete
      {...input}
      value={value}
      data={DRAWN}
      maxDropdownHeight={280}
      leftSection={chosen && <Icon path={chosen} />}
      renderOption={({ option }) => (
        <Group gap="xs" wrap="nowrap">
          <Icon path={PATHS[option.value] ?? ""} />
          <Text size="sm">{inWords(option.value)}</Text>
        </Group>
      )}
    />
  );
}

/** The input for an illustration of the pages. */
export function IllustrationField({ value, ...input }: PictureFieldProps) {
  const known: readonly string[] = ILLUSTRATIONS;
  const data = value && !known.includes(value) ? [...known, value] : known;
  return (
    <Select
      {...input}
      searchable
      clearable
      value={value || null}
      data={data.map((name) => ({ value: name, label: inWords(name) }))}
      maxDropdownHeight={320}
      renderOption={({ option }) => (
        <Group gap="sm" wrap="nowrap">
          {fileOf(option.value) && <img className={classes.illustration} src={fileOf(option.value)} alt="" />}
          <Text size="sm">{option.label}</Text>
        </Group>
      )}
    />
  );
}

function Icon({ path }: { path: string }) {
  return (
    <svg viewBox="0 0 24 24" className={classes.icon} aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

function fileOf(name: string): string | undefined {
  return Object.entries(FILES).find(([path]) => path.endsWith(`/${name}.svg`))?.[1];
}

function inWords(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
