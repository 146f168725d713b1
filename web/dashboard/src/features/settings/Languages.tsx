import { MultiSelect, Select } from "@mantine/core";
import { useState } from "react";
import type { ApiForm } from "@/ui/form/useApiForm";
import type { valuesOf } from "./general";
import { isNamed, languageOptions, optionsOf } from "./languages";
import { settingsTexts as words } from "./texts";

/** The languages of a project, which are found by their names in any language, and the default one of them. */
export function Languages({ form }: { form: ApiForm<ReturnType<typeof valuesOf> & { etag: string | null }> }) {
  const [typed, setTyped] = useState("");
  const [isOpen, setOpen] = useState(false);
  const { locales, default_locale: standard } = form.fields.values.settings;
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
        onChange={(next) =>
          form.fields.setFieldValue("settings.locales", next.includes(standard) ? next : [standard, ...next])
        }
      />
      <Select
        label={words.defaultLanguage}
        data={optionsOf(locales)}
        allowDeselect={false}
        {...form.field("settings.default_locale", words.defaultLanguageHelp)}
      />
    </>
  );
}
