import { SimpleGrid, Stack, Text, TextInput, Title, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { ScreenTemplateView } from "@/api/schema";
import { editorTexts } from "@/features/editor/texts";
import { templatesQuery } from "@/features/flows/queries";
import type { PreviewedFlow } from "@/features/preview/pageDocument";
import { Thumbnail } from "@/features/preview/Thumbnail";
import { Dialog } from "@/ui/feedback/Dialog";
import { QueryView, TextSkeleton } from "@/ui/states";
import { screenFrom, typeName } from "./document";

const words = editorTexts;
const PICTURE_WIDTH = 120;

interface AddScreenProps {
  /** The flow whose theme the pictures have. */
  previewed: Omit<PreviewedFlow, "document">;
  onChoose: (template: ScreenTemplateView) => void;
  onClose: () => void;
}

/** A dialog with the templates of screens, as pages in the look of the flow. */
export function AddScreen({ previewed, onChoose, onClose }: AddScreenProps) {
  const templates = useQuery(templatesQuery);
  const [search, setSearch] = useState("");
  return (
    <Dialog title={words.addScreen} size="xl" onClose={onClose}>
      <TextInput
        data-autofocus
        type="search"
        aria-label={words.searchTemplates}
        placeholder={words.searchTemplates}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        mb="md"
      />
      <QueryView query={templates} skeleton={<TextSkeleton lines={6} />}>
        {(found) => {
          const matching = found.filter((template) => matches(template, search));
          return (
            <Stack gap="lg">
              {(["onboarding", "permissions", "account"] as const).map((category) => (
                <Templates
                  key={category}
                  title={words.categories[category]}
                  templates={matching.filter((template) => template.category === category)}
                  previewed={previewed}
                  onChoose={onChoose}
                />
              ))}
              {matching.length === 0 && <Text c="dimmed">{words.noTemplate(search)}</Text>}
            </Stack>
          );
        }}
      </QueryView>
    </Dialog>
  );
}

interface TemplatesProps extends Pick<AddScreenProps, "previewed" | "onChoose"> {
  title: string;
  templates: readonly ScreenTemplateView[];
}

function Templates({ title, templates, previewed, onChoose }: TemplatesProps) {
  const pictures = useMemo(
    () => templates.map((template) => ({ template, screen: screenFrom(template) })),
    [templates],
  );
  return templates.length === 0 ? null : (
    <Stack gap="xs">
      <Title order={3} size="h4">
        {title}
      </Title>
      <SimpleGrid cols={{ base: 2, xs: 3, sm: 4 }} spacing="xs">
        {pictures.map(({ template, screen }) => (
          <UnstyledButton
            key={template.id}
            p="sm"
            bd="1px solid var(--mantine-color-default-border)"
            bdrs="md"
            onClick={() => onChoose(template)}
          >
            <Thumbnail flow={previewed} screen={screen} width={PICTURE_WIDTH} />
            <Text size="sm" mt="xs">
              {template.name}
            </Text>
            <Text size="xs" c="dimmed">
              {typeName(template.type)}
            </Text>
          </UnstyledButton>
        ))}
      </SimpleGrid>
    </Stack>
  );
}

function matches({ name, type, default_content }: ScreenTemplateView, search: string): boolean {
  const text = `${name} ${typeName(type)} ${JSON.stringify(default_content)}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
