import { Group, Text } from "@mantine/core";
import { IconAlertCircle, IconAlertTriangle } from "@tabler/icons-react";

/** The errors and warnings of a screen, or of the flow, by field. */
export interface Problems {
  errors: ReadonlyMap<string, string> | undefined;
  warnings: ReadonlyMap<string, string> | undefined;
}

interface NotesProps {
  problems: Problems;
  path: string;
  /** Whether fields inside of this one have notes of their own. */
  exact?: boolean;
}

/** The errors and warnings of a field, and of the fields inside of it. */
export function Notes({ problems, path, exact = false }: NotesProps) {
  const isHere = ([field]: [string, string]) => field === path || (!exact && field.startsWith(`${path}.`));
  return (
    <>
      {[...(problems.errors ?? [])].filter(isHere).map(([field, message]) => (
        <Note key={field} message={message} isError />
      ))}
      {[...(problems.warnings ?? [])].filter(isHere).map(([field, message]) => (
        <Note key={field} message={message} isError={false} />
      ))}
    </>
  );
}

/** An error or a warning below the thing that it is about. */
export function Note({ message, isError }: { message: string; isError: boolean }) {
  const Icon = isError ? IconAlertCircle : IconAlertTriangle;
  const color = isError ? "var(--mantine-color-error)" : "var(--app-warning)";
  return (
    <Group gap={6} wrap="nowrap" align="flex-start" c={color}>
      <Icon size={16} style={{ flex: "none", marginTop: 1 }} />
      <Text size="xs" role="alert">
        {message}
      </Text>
    </Group>
  );
}
