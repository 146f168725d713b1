import { ColorInput, Group, NumberInput, SimpleGrid, Switch, TextInput, Title } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { standardColor } from "@onboarding/flow/theme";
import { useQueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";
import type { Tagged } from "@/api/responses";
import type { ThemeView } from "@/api/schema";
import { useInvalidate } from "@/api/useInvalidate";
import { texts } from "@/texts";
import { toast } from "@/ui/feedback";
import { ApiFormView } from "@/ui/form/ApiFormView";
import { useApiForm } from "@/ui/form/useApiForm";
import { useNewest, VersionConflict } from "@/ui/form/VersionConflict";
import { dropUnsavedWork } from "@/ui/unsavedWork";
import { Contrasts } from "./Contrasts";
import { themeQuery, updateTheme } from "./queries";
import { bodyOf, COLORS, RADII, RADIUS_DEFAULTS, valuesOf } from "./style";
import { ThemePreview } from "./ThemePreview";

const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, texts.themes.nameLength), z.maxLength(50, texts.themes.nameLength)),
});

/** The fields of the interface that the form names otherwise. */
const FIELD_NAMES = {
  "typography.fontFamily": "fontFamily",
  "typography.sizes.heading": "headingSize",
  "typography.sizes.body": "bodySize",
  ...Object.fromEntries(RADII.map((radius) => [`borderRadius.${radius}`, `radius.${radius}`])),
};

/** The form of a theme, with a preview and warnings of contrast beside it. */
export function ThemeForm({ theme, onSaved }: { theme: Tagged<ThemeView>; onSaved: () => void }) {
  const queryClient = useQueryClient();
  const invalidate = useInvalidate();
  const { data } = theme;
  const { newest, save } = useNewest(theme, () => queryClient.fetchQuery({ ...themeQuery(data.id), staleTime: 0 }));
  const name = `theme:${data.id}`;
  const refresh = () => invalidate("theme");
  const form = useApiForm({
    name,
    initialValues: { ...valuesOf(data), etag: theme.etag },
    schema,
    fieldNames: FIELD_NAMES,
    submit: async ({ etag, ...values }) => {
      await save(() => updateTheme(data.id, bodyOf(data, values), etag));
      dropUnsavedWork(name);
      await refresh();
      toast(texts.themes.saved);
      onSaved();
    },
  });
  useHotkeys([["mod+S", () => form.onSubmit()]], [], true);
  const { values } = form.fields;

  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
      <ApiFormView form={form} submitLabel={texts.ui.save}>
        <TextInput label={texts.themes.name} {...form.field("name", texts.themes.nameHelp)} />
        <Switch
          label={texts.themes.makeDefault}
          description={texts.themes.makeDefaultHelp}
          {...form.fields.getInputProps("is_default", { type: "checkbox" })}
        />
        <Title order={2}>{texts.themes.colors}</Title>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          {COLORS.map((color) => (
            <ColorInput
              key={color}
              label={texts.themes.color[color]}
              placeholder={standardColor(color, values.colors)}
              withEyeDropper={false}
              {...form.field(`colors.${color}`)}
            />
          ))}
        </SimpleGrid>
        <Contrasts colors={values.colors} />
        <Title order={2}>{texts.themes.typography}</Title>
        <TextInput
          label={texts.themes.fontFamily}
          placeholder="system-ui"
          {...form.field("fontFamily", texts.themes.fontHelp)}
        />
        <Group grow>
          <NumberInput
            label={texts.themes.headingSize}
            min={20}
            max={44}
            placeholder="28"
            {...form.field("headingSize")}
          />
          <NumberInput label={texts.themes.bodySize} min={15} max={22} placeholder="17" {...form.field("bodySize")} />
        </Group>
        <Title order={2}>{texts.themes.corners}</Title>
        <Group grow align="flex-start">
          {RADII.map((radius) => (
            <NumberInput
              key={radius}
              label={texts.themes.radius[radius]}
              min={0}
              max={32}
              placeholder={RADIUS_DEFAULTS[radius]}
              {...form.field(`radius.${radius}`)}
            />
          ))}
        </Group>
        <VersionConflict form={form} newestEtag={newest.etag} onTheirs={() => void refresh().then(onSaved)} />
      </ApiFormView>
      <ThemePreview theme={data} values={values} />
    </SimpleGrid>
  );
}
