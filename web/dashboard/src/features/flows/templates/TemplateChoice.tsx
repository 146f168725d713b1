import { Box, Group, Radio, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { DocumentScreenView, DocumentView, FlowTemplateView } from "@/api/schema";
import type { ThemeStyle } from "@/features/preview/pageDocument";
import { Thumbnail } from "@/features/preview/Thumbnail";
import { QueryView, TextSkeleton } from "@/ui/states";
import { templateTexts } from "../texts";
import { flowTemplatesQuery } from "./queries";

/** The value of a choice without a template. */
export const NO_TEMPLATE = "";

interface TemplateChoiceProps {
  label: string;
  /** The name of the app in the pictures. */
  projectName: string;
  value?: string;
  onChange?: (id: string) => void;
  /** The words of the choice without a template. */
  none: { name: string; text: string };
}

/** A choice between the flow templates, by their pages, and none. */
export function TemplateChoice({ label, projectName, none, value, onChange }: TemplateChoiceProps) {
  const templates = useQuery(flowTemplatesQuery);
  const [search, setSearch] = useState("");
  return (
    <Radio.Group label={label} value={value} onChange={onChange}>
      <TextInput
        type="search"
        aria-label={templateTexts.search}
        placeholder={templateTexts.search}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        my="xs"
      />
      <QueryView query={templates} skeleton={<TextSkeleton lines={6} />}>
        {(found) => (
          <Box mah="46vh" style={{ overflowY: "auto" }}>
            <Stack gap="xs">
              <Choice value={NO_TEMPLATE} name={none.name} text={none.text} />
              {found.filter(matching(search)).map((template) => (
                <Choice
                  key={template.id}
                  value={template.id}
                  name={template.name}
                  text={`${template.description} ${templateTexts.screens(screensOf(template).length)}`}
                >
                  <Pictures template={template} projectName={projectName} isWhole={template.id === value} />
                </Choice>
              ))}
              {!found.some(matching(search)) && <Text c="dimmed">{templateTexts.nothing(search)}</Text>}
            </Stack>
          </Box>
        )}
      </QueryView>
    </Radio.Group>
  );
}

function Choice(props: { value: string; name: string; text: string; children?: React.ReactNode }) {
  const { value, name, text, children } = props;
  return (
    <Radio.Card value={value} p="sm" radius="md" aria-label={name}>
      <Group wrap="nowrap" align="flex-start" gap="sm">
        <Radio.Indicator mt={2} />
        <Stack gap={8} miw={0} flex={1}>
          <div>
            <Text size="sm" fw={550}>
              {name}
            </Text>
            <Text size="xs" c="dimmed">
              {text}
            </Text>
          </div>
          {children}
        </Stack>
      </Group>
    </Radio.Card>
  );
}

/** Fewer pages load at once. The chosen template shows all of its screens. */
const FIRST_PICTURES = 3;

function Pictures({
  template,
  projectName,
  isWhole,
}: {
  template: FlowTemplateView;
  projectName: string;
  isWhole: boolean;
}) {
  const flow = useMemo(
    () => ({ projectId: "", projectName, flowId: template.id, theme: template.theme as unknown as ThemeStyle }),
    [template, projectName],
  );
  const screens = screensOf(template);
  const variables = template.document.variables as DocumentView["variables"];
  return (
    <Group gap={8} wrap="nowrap" style={{ overflowX: "auto" }}>
      {(isWhole ? screens : screens.slice(0, FIRST_PICTURES)).map((screen) => (
        <Thumbnail key={screen.id} flow={flow} variables={variables} screen={screen} width={104} />
      ))}
    </Group>
  );
}

function screensOf(template: FlowTemplateView): DocumentScreenView[] {
  return template.document.screens as DocumentScreenView[];
}

function matching(search: string) {
  const words = search.toLowerCase().split(/\s+/);
  return ({ name, description, category }: FlowTemplateView) => {
    const text = `${name} ${description} ${category}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
}
