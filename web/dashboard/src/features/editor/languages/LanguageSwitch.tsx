import { Select } from "@mantine/core";
import { languageName } from "@/features/settings/languages";
import { percentOf } from "@/features/translations/queries";
import { languageTexts as words } from "./texts";
import type { Translating } from "./useTranslating";

interface LanguageSwitchProps {
  translating: Translating;
  onChange: (locale: string) => void;
}

/** The choice of the language that the editor shows: the base, then the others with the part that is translated. */
export function LanguageSwitch({ translating: { locales, locale, query }, onChange }: LanguageSwitchProps) {
  const [base = "", ...others] = locales;
  const choices = others.map((other) => ({
    value: other,
    label: words.percent(languageName(other), percentOf(query.data?.summary[other])),
  }));
  return (
    <Select
      aria-label={words.language}
      size="xs"
      w={240}
      mb="md"
      allowDeselect={false}
      searchable={others.length > 8}
      data={[{ value: base, label: words.base(languageName(base)) }, ...choices]}
      value={locale ?? base}
      onChange={(next) => next && onChange(next)}
    />
  );
}
