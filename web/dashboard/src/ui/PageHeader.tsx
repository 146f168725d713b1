import { Group, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { texts } from "@/texts";
import { showObject } from "./shownObject";

interface PageHeaderProps {
  title: string;
  /** The name of the object of the view, if the title is another one. */
  object?: string;
  /** The state of the object of the view, beside its title. */
  state?: ReactNode;
  text?: ReactNode;
  /** The primary action of the view, after secondary ones. */
  actions?: ReactNode;
}

/** The header of a view: its title, which it also sets as the title of the browser's tab, and its actions. */
export function PageHeader({ title, object, state, text, actions }: PageHeaderProps) {
  useEffect(() => {
    document.title = texts.app.documentTitle(object ? texts.app.viewOf(title, object) : title);
    return showObject(object ?? title);
  }, [title, object]);
  return (
    <Group justify="space-between" align="flex-start" mb="lg" gap="md">
      <Stack gap={4} flex="1 1 120px">
        <Group gap="sm" style={{ rowGap: 4 }}>
          <Title order={1}>{title}</Title>
          {state}
        </Group>
        {text && (
          <Text component="div" c="dimmed">
            {text}
          </Text>
        )}
      </Stack>
      {actions && (
        <Group gap="xs" wrap="nowrap">
          {actions}
        </Group>
      )}
    </Group>
  );
}
