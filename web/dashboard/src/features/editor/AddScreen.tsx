import { SimpleGrid, Stack, Text, Title, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ScreenTemplateView } from "@/api/schema";
import { editorTexts } from "@/features/editor/texts";
import { templatesQuery } from "@/features/flows/queries";
import { Dialog } from "@/ui/feedback/Dialog";
import { QueryView, TextSkeleton } from "@/ui/states";
import { typeName } from "./document";

const words = editorTexts;

interface AddScreenProps {
  onChoose: (template: ScreenTemplateView) => void;
  onClose: () => void;
}

/** A dialog with the templates of screens. */
export function AddScreen({ onChoose, onClose }: AddScreenProps) {
  const templates = useQuery(templatesQuery);
  return (
    <Dialog title={words.addScreen} size="lg" onClose={onClose}>
      <QueryView query={templates} skeleton={<TextSkeleton lines={6} />}>
        {(found) => (
          <Stack gap="lg">
            {(["onboarding", "permissions", "account"] as const).map((category) => (
              <Stack key={category} gap="xs">
                <Title order={3} size="h4">
                  {words.categories[category]}
                </Title>
                <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
                  {found
                    .filter((template) => template.category === category)
                    .map((template) => (
                      <UnstyledButton
                        key={template.id}
                        p="sm"
                        bd="1px solid var(--mantine-color-default-border)"
                        bdrs="md"
                        onClick={() => onChoose(template)}
                      >
                        <Text size="sm">{template.name}</Text>
                        <Text size="xs" c="dimmed">
                          {typeName(template.type)}
                        </Text>
                      </UnstyledButton>
                    ))}
                </SimpleGrid>
              </Stack>
            ))}
          </Stack>
        )}
      </QueryView>
    </Dialog>
  );
}
