import { Alert, Button, Group, Input, Stack, Text, Title } from "@mantine/core";
import { placesOf } from "@onboarding/flow/languages";
import { IconLock } from "@tabler/icons-react";
import { useId } from "react";
import { editorTexts } from "@/features/editor/texts";
import { languageName } from "@/features/settings/languages";
import { StateBadge } from "@/features/translations/StateBadge";
import { TranslationInput } from "@/features/translations/TranslationInput";
import { QueryView, TextSkeleton } from "@/ui/states";
import { type Change, type FlowDocument, type FlowScreen, screenName } from "../document";
import type { FieldErrors } from "../form/problems";
import { screenFields } from "../form/screenFields";
import { languageTexts as words } from "./texts";
import { type ScreenText, type Translation, textsOf, withTranslation } from "./translating";
import type { Translating } from "./useTranslating";

interface TranslationFormProps {
  document: FlowDocument;
  selected: string;
  locale: string;
  translating: Translating;
  errors: FieldErrors;
  disabled: boolean;
  onChange: Change;
}

/** The texts of a screen in another language. It changes translations alone. */
export function TranslationForm(props: TranslationFormProps) {
  const { document, selected, locale, translating, disabled } = props;
  const screen = document.screens.find(({ id }) => id === selected);
  // The service has not seen the base texts of the screen yet, so it has not said which of them can be translated.
  const isNew = screen !== undefined && !translating.isKnown(screen);
  const [base = ""] = translating.locales;
  const [name, baseName] = [languageName(locale), languageName(base)];
  return (
    <Stack gap="md">
      <Title order={2} size="h3">
        {screen ? screenName(screen) : editorTexts.flow}
      </Title>
      <Alert color="gray" icon={<IconLock size={18} />}>
        {disabled ? words.readOnly(name) : words.locked(name, baseName)}
      </Alert>
      {screen ? (
        <QueryView query={translating.query} skeleton={<TextSkeleton lines={4} />}>
          {({ rows }) => {
            const pointers = rows.filter(({ screen_id }) => screen_id === screen.id).map(({ pointer }) => pointer);
            const texts = textsOf(screen, locale, pointers);
            return (
              <>
                {texts.map((text) => (
                  <Field key={text.pointer} {...props} screen={screen} base={base} text={text} />
                ))}
                {isNew ? (
                  <Text c="dimmed" role="status">
                    {words.newTexts}
                  </Text>
                ) : (
                  texts.length === 0 && <Text c="dimmed">{words.noTexts}</Text>
                )}
              </>
            );
          }}
        </QueryView>
      ) : (
        <Text c="dimmed">{words.chooseScreen}</Text>
      )}
    </Stack>
  );
}

interface FieldProps extends TranslationFormProps {
  screen: FlowScreen;
  base: string;
  text: ScreenText;
}

/** A translation, below its base text. */
function Field({ document, screen, base: baseLocale, locale, errors, disabled, onChange, text: shown }: FieldProps) {
  const { pointer, base, text, state, isMachine } = shown;
  const label = labelOf(screen, pointer);
  const id = useId();
  const own = errors.get(screen.id);
  const member = `localizations.${locale}`;
  const error = own?.get(member + pointer.replaceAll("/", ".")) ?? own?.get(`${member}.${pointer}`);
  const set = (translation: Translation) =>
    onChange(withTranslation(document, screen.id, locale, pointer, translation), `${screen.id} ${locale}${pointer}`);
  const action = (name: string, translation: Translation) => (
    <Button variant="subtle" size="compact-xs" aria-label={words.of(name, label)} onClick={() => set(translation)}>
      {name}
    </Button>
  );
  return (
    <Stack gap={4}>
      <Input.Wrapper
        id={id}
        label={label}
        inputWrapperOrder={["label", "description", "input", "error"]}
        description={
          <Text
            span
            size="sm"
            dir="auto"
            lang={baseLocale}
            style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}
          >
            {base}
          </Text>
        }
        error={error}
      >
        <TranslationInput
          id={id}
          aria-label={words.translation(label, languageName(locale))}
          aria-describedby={`${id}-description${error ? ` ${id}-error` : ""}`}
          aria-invalid={error !== undefined}
          data-member={placesOf(screen.content, pointer).join(".")}
          locale={locale}
          base={base}
          disabled={disabled}
          value={text}
          onChange={({ target }) => set({ text: target.value, source: base })}
        />
      </Input.Wrapper>
      <Group gap="xs">
        <StateBadge state={state} isMachine={isMachine} />
        {!disabled && (state === "outdated" || isMachine) && action(words.confirm, { text, source: base })}
        {!disabled && text !== base && action(words.copyBase, { text: base, source: base })}
      </Group>
    </Stack>
  );
}

/** Return the name of a text for people: the name of its field, and the way inside of it. */
function labelOf(screen: FlowScreen, pointer: string): string {
  const [first = "", ...inner] = pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const field = screenFields(screen.type, screen.content).find(({ path }) => path === first);
  return [field?.label ?? first, ...inner].join(", ").replaceAll("_", " ");
}
