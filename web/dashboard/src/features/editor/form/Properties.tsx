import {
  Alert,
  Button,
  Divider,
  Group,
  Select,
  Skeleton,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from "@mantine/core";
import type { Json } from "@onboarding/flow/json";
import { IconArrowsSplit2 } from "@tabler/icons-react";
import { lazy, Suspense } from "react";
import { useProjectId } from "@/api/projects";
import type { ThemeView } from "@/api/schema";
import { editorTexts } from "@/features/editor/texts";
import { flowTexts } from "@/features/flows/texts";
import { PageWeight } from "@/features/media/PageWeight";
import { withoutTranslations } from "@/features/preview/pageDocument";
import { AnchorLink } from "@/ui/links";
import { type Change, changeScreen, FLOW, type FlowDocument, screenName, typeName } from "../document";
import { LOGIC_TITLE, LogicForm } from "../logic/LogicForm";
import { logicTexts } from "../logic/texts";
import { TextsOf } from "../variables/TextField";
import { namedFields } from "./aliases";
import { ContentField } from "./ContentField";
import { type FieldErrors, placeInWords } from "./problems";
import { formSettings, screenFields, settingsFields } from "./screenFields";

const words = editorTexts;

/** Most edits are those of screens, so the variables and the check of their formulas load with the form of the flow. */
const Variables = lazy(async () => ({ default: (await import("../variables/Variables")).Variables }));

interface PropertiesProps {
  document: FlowDocument;
  selected: string;
  themes: readonly ThemeView[];
  errors: FieldErrors;
  warnings: FieldErrors;
  /** The values of variables in the preview, by their names. */
  values: Json;
  disabled: boolean;
  onChange: Change;
}

/** The form for the selected screen, made from its type, or for the flow. */
export function Properties(props: PropertiesProps) {
  const screen = props.document.screens.find(({ id }) => id === props.selected);
  return screen ? <ScreenForm {...props} screen={screen} /> : <FlowForm {...props} />;
}

function ScreenForm({
  document,
  screen,
  errors,
  warnings,
  disabled,
  onChange,
}: PropertiesProps & { screen: FlowDocument["screens"][number] }) {
  const own = errors.get(screen.id);
  const standard = screenFields(screen.type, screen.content);
  const fields = namedFields(standard, screen.content);
  const logic = ["show_if", "next"];
  const shown = new Set(["name", "settings", ...logic, ...fields.map(({ path }) => path)]);
  const others = [...(own ?? [])].filter(([path]) => !shown.has(path.split(".")[0] ?? ""));
  const above = [...(warnings.get(screen.id) ?? [])].filter(([path]) => !logic.includes(path.split(".")[0] ?? ""));
  const labelOf = (path: string) => fields.find((field) => field.path === path.split(".")[0])?.label ?? path;
  const change = (member: string, changes: Partial<typeof screen>) =>
    onChange(changeScreen(document, screen.id, changes), `${screen.id} ${member}`);
  return (
    <Stack gap="md">
      <Group justify="space-between" wrap="nowrap">
        <Title order={2} size="h3">
          {typeName(screen.type)}
        </Title>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconArrowsSplit2 size={16} />}
          onClick={() => {
            const title = window.document.getElementById(LOGIC_TITLE);
            title?.scrollIntoView();
            title?.focus();
          }}
        >
          {logicTexts.jump(screen.next?.length ?? 0)}
        </Button>
      </Group>
      {others.map(([path, message]) => (
        <Alert key={path} color="red" role="alert">
          {`${placeInWords(path.split("."))} ${message}`.trim()}
        </Alert>
      ))}
      {above.map(([path, message]) => (
        <Alert key={path} color="yellow" title={labelOf(path) || undefined}>
          {message}
        </Alert>
      ))}
      <TextInput
        label={words.screenName}
        description={own?.has("name") ? undefined : words.screenNameHelp}
        error={own?.get("name")}
        disabled={disabled}
        maxLength={100}
        value={screen.name ?? ""}
        onChange={(event) => change("name", { name: event.target.value || null })}
      />
      <TextsOf value={{ document, screenId: screen.id }}>
        {fields.map((field, place) => (
          <ContentField
            key={standard[place]?.path}
            field={field}
            content={screen.content}
            disabled={disabled}
            errorOf={(path) => own?.get(path)}
            onChange={(value) => change(field.path, { content: { ...screen.content, [field.path]: value } })}
          />
        ))}
      </TextsOf>
      {settingsFields(screen.type, screen.settings).map((field) => (
        <ContentField
          key={field.path}
          field={field}
          content={formSettings(screen.settings)}
          disabled={disabled}
          errorOf={(path) => own?.get(`settings.${path}`)}
          onChange={(value) =>
            change(field.path, { settings: formSettings({ ...screen.settings, [field.path]: value }) })
          }
        />
      ))}
      <PageWeight screens={[{ name: "", screen: withoutTranslations(screen) }]} />
      <Divider />
      <LogicForm
        document={document}
        screen={screen}
        problems={{ errors: own, warnings: warnings.get(screen.id) }}
        disabled={disabled}
        onChange={onChange}
      />
    </Stack>
  );
}

function FlowForm({ document, themes, errors, warnings, values, disabled, onChange }: PropertiesProps) {
  const projectId = useProjectId();
  const own = errors.get(FLOW);
  const standard = themes.find(({ is_default }) => is_default);
  const change = (member: string, changes: Partial<FlowDocument>) => onChange({ ...document, ...changes }, member);
  return (
    <Stack gap="md">
      <Title order={2} size="h3">
        {words.flow}
      </Title>
      {own?.has("screens") && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {words.needsScreen}
        </Text>
      )}
      <TextInput
        label={flowTexts.name}
        description={flowTexts.nameHelp}
        error={own?.get("name")}
        disabled={disabled}
        maxLength={100}
        value={document.name}
        onChange={(event) => change("name", { name: event.target.value })}
      />
      <Textarea
        label={words.description}
        disabled={disabled}
        autosize
        minRows={2}
        value={document.description ?? ""}
        error={own?.get("description")}
        onChange={(event) => change("description", { description: event.target.value || null })}
      />
      <Select
        label={words.theme}
        description={own?.has("theme_id") ? undefined : words.themeHelp}
        placeholder={standard ? words.defaultTheme(standard.name) : words.standardLook}
        clearable
        disabled={disabled || themes.length === 0}
        data={themes.map(({ id, name }) => ({ value: id, label: name }))}
        value={document.theme_id}
        error={own?.get("theme_id")}
        onChange={(theme) => change("theme_id", { theme_id: theme })}
      />
      <AnchorLink to="/projects/$projectId/themes" params={{ projectId }} size="sm">
        {themes.length === 0 && !disabled ? words.createTheme : words.openThemes}
      </AnchorLink>
      <PageWeight
        screens={document.screens.map((screen) => ({ name: screenName(screen), screen: withoutTranslations(screen) }))}
      />
      <Suspense fallback={<Skeleton height={120} />}>
        <Variables
          document={document}
          problems={{ errors: own, warnings: warnings.get(FLOW) }}
          values={values}
          disabled={disabled}
          onChange={onChange}
        />
      </Suspense>
    </Stack>
  );
}
