import { ActionIcon, Group, Input, MultiSelect, Select, Text } from "@mantine/core";
import { IconArrowUp } from "@tabler/icons-react";
import { useState } from "react";
import type { ApiForm } from "@/ui/form/useApiForm";
import type { valuesOf } from "./general";
import { isNamed, languageName, languageOptions, optionsOf } from "./languages";
import { settingsTexts as words } from "./texts";

/** The languages of a project, which are found by their names in any language, and the default one of them. */
export function Languages({ form }: { form: ApiForm<ReturnType<typeof valuesOf> & { etag: string | null }> }) {
  const [typed, setTyped] = useState("");
  const [isOpen, setOpen] = useState(false);
  const { locales, default_locale: standard } = form.fields.values.settings;
  const others = locales.filter((locale) => locale !== standard);
  const change = (next: string[]) => form.fields.setFieldValue("settings.locales", next);
  return (
    <>
      <MultiSelect
        label={words.languages}
        searchable
        hidePickedOptions
        searchValue={typed}
        onSearchChange={setTyped}
        data={isOpen ? languageOptions(locales, typed) : optionsOf(locales)}
        onDropdownOpen={() => setOpen(true)}
        onDropdownClose={() => setOpen(false)}
        filter={({ options, search }) =>
          options.filter((option) => "value" in option && isNamed(String(option.value), search))
        }
        limit={100}
        nothingFoundMessage={words.noLanguage}
        {...form.field("settings.locales", words.languagesHelp)}
        value={locales}
        onChange={(next) => change(next.includes(standard) ? next : [standard, ...next])}
      />
      {others.length > 1 && (
        <Input.Wrapper label={words.languageOrder} description={words.languageOrderHelp} labelElement="div">
          <ol>
            {others.map((locale, place) => (
              <li key={locale}>
                <Group gap="xs" h={32}>
                  <Text size="sm">{languageName(locale)}</Text>
                  {place > 0 && (
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={words.moveLanguageUp(languageName(locale))}
                      onClick={() => change([standard, ...movedUp(others, place)])}
                    >
                      <IconArrowUp size={18} />
                    </ActionIcon>
                  )}
                </Group>
              </li>
            ))}
          </ol>
        </Input.Wrapper>
      )}
      <Select
        label={words.defaultLanguage}
        data={optionsOf(locales)}
        allowDeselect={false}
        {...form.field("settings.default_locale", words.defaultLanguageHelp)}
      />
    </>
  );
}

function movedUp(locales: readonly string[], place: number): string[] {
  const [moved = ""] = locales.slice(place);
  return locales.toSpliced(place, 1).toSpliced(place - 1, 0, moved);
}
