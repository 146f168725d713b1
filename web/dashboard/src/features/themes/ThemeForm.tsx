import { ColorInput, Group, NumberInput, SimpleGrid, Switch, TextInput, Title } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { standardColor } from "@onboarding/flow/theme";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import * as z from "zod/mini";
import type { Tagged } from "@/api/responses";
import type { ListedFlowView, ThemeView } from "@/api/schema";
import { ALL_THEMES, themeQuery, themesQuery, updateTheme } from "@/api/themes";
import { useInvalidate } from "@/api/useInvalidate";
import { flowsQuery } from "@/features/flows/queries";
import { texts } from "@/texts";
import { toast, toastError } from "@/ui/feedback/feedback";
import { lazyDialog } from "@/ui/feedback/lazyDialog";
import { useUndo } from "@/ui/feedback/useUndo";
import { ApiFormView } from "@/ui/form/ApiFormView";
import { dropUnsavedWork } from "@/ui/form/unsavedWork";
import { useApiForm } from "@/ui/form/useApiForm";
import { useNewest, VersionConflict } from "@/ui/form/VersionConflict";
import { Contrasts } from "./Contrasts";
import { bodyOf, COLORS, RADII, RADIUS_DEFAULTS, valuesOf } from "./style";
import { ThemePreview } from "./ThemePreview";
import { themeTexts } from "./texts";
import { lookChanges, undoOf } from "./themeChanges";

const ThemeQuestion = lazyDialog(async () => (await import("./ThemeQuestion")).ThemeQuestion);

const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, themeTexts.nameLength), z.maxLength(50, themeTexts.nameLength)),
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
  /** The active flows that show the change, while the question is open. */
  const [shown, setShown] = useState<ListedFlowView[]>([]);
  const offerUndo = useUndo("theme");
  const readDefault = async () => {
    const { items } = await queryClient.fetchQuery({ ...themesQuery(data.project_id, ALL_THEMES), staleTime: 0 });
    return items.find(({ is_default }) => is_default)?.id ?? null;
  };
  const form = useApiForm({
    name,
    initialValues: { ...valuesOf(data), etag: theme.etag },
    schema,
    fieldNames: FIELD_NAMES,
    submit: async ({ etag, ...values }) => {
      const formerDefault = values.is_default === data.is_default ? null : await readDefault();
      const saved = await save(() => updateTheme(data.id, bodyOf(data, values), etag));
      dropUnsavedWork(name);
      await refresh();
      if (shown.length > 0) {
        const undo = undoOf(data, saved, formerDefault, readDefault);
        offerUndo(themeTexts.saved, () => undo().then(refresh).then(onSaved));
      } else {
        toast(themeTexts.saved);
      }
      onSaved();
    },
  });
  const { values } = form.fields;
  const changes = lookChanges(data, values);
  /** Save the theme, after a question if devices see the change. */
  async function saveOrAsk() {
    if (changes.length === 0) {
      form.onSubmit();
    } else if (!form.fields.validate().hasErrors) {
      const active = flowsQuery(data.project_id, { status: "active" });
      try {
        const { items } = await queryClient.fetchQuery({ ...active, staleTime: 0 });
        const found = items.filter(({ theme_id }) => theme_id === data.id || (theme_id === null && showsTheme));
        setShown(found);
        if (found.length === 0) {
          form.onSubmit();
        }
      } catch (error) {
        toastError(error);
      }
    }
  }
  const showsTheme = data.is_default || values.is_default;
  const asked = {
    ...form,
    onSubmit: (event?: FormEvent<HTMLFormElement>) => {
      event?.preventDefault();
      void saveOrAsk();
    },
  };
  useHotkeys([["mod+S", () => shown.length === 0 && asked.onSubmit()]], [], true);

  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
      <ApiFormView form={asked} submitLabel={texts.ui.save}>
        <TextInput label={themeTexts.name} {...form.field("name", themeTexts.nameHelp)} />
        <Switch
          label={themeTexts.makeDefault}
          description={themeTexts.makeDefaultHelp}
          {...form.fields.getInputProps("is_default", { type: "checkbox" })}
        />
        <Title order={2}>{themeTexts.colors}</Title>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          {COLORS.map((color) => (
            <ColorInput
              key={color}
              label={themeTexts.color[color]}
              placeholder={standardColor(color, values.colors)}
              withEyeDropper={false}
              {...form.field(`colors.${color}`)}
            />
          ))}
        </SimpleGrid>
        <Contrasts colors={values.colors} />
        <Title order={2}>{themeTexts.typography}</Title>
        <TextInput
          label={themeTexts.fontFamily}
          placeholder="system-ui"
          {...form.field("fontFamily", themeTexts.fontHelp)}
        />
        <Group grow>
          <NumberInput
            label={themeTexts.headingSize}
            min={20}
            max={44}
            placeholder="28"
            {...form.field("headingSize")}
          />
          <NumberInput label={themeTexts.bodySize} min={15} max={22} placeholder="17" {...form.field("bodySize")} />
        </Group>
        <Title order={2}>{themeTexts.corners}</Title>
        <Group grow align="flex-start">
          {RADII.map((radius) => (
            <NumberInput
              key={radius}
              label={themeTexts.radius[radius]}
              min={0}
              max={32}
              // A field without a size has that of the buttons.
              placeholder={String((radius === "input" && values.radius.button) || RADIUS_DEFAULTS[radius])}
              {...form.field(`radius.${radius}`)}
            />
          ))}
        </Group>
        <VersionConflict form={form} newestEtag={newest.etag} onTheirs={() => void refresh().then(onSaved)} />
      </ApiFormView>
      <ThemePreview theme={data} values={values} />
      {shown.length > 0 && (
        <ThemeQuestion
          projectId={data.project_id}
          name={data.name}
          flows={shown}
          changes={changes}
          onConfirm={async () => form.onSubmit()}
          onClose={() => setShown([])}
        />
      )}
    </SimpleGrid>
  );
}
