import { Group, ScrollArea, Select, Stack, Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { projectQuery } from "@/api/projects";
import type { ThemeView } from "@/api/schema";
import { flowQuery } from "@/features/analytics/queries";
import { flowsQuery } from "@/features/flows/queries";
import { Thumbnail } from "@/features/preview/Thumbnail";
import { OPTIONAL_QUERY } from "@/ui/optionalQuery";
import type { ThemeDocument } from "./document";
import { SAMPLE_FLOW } from "./sampleFlow";
import classes from "./ThemeScreens.module.css";
import { themeTexts as words } from "./texts";

const SAMPLE = "sample";
const WIDTH = 190;
const SMALL_WIDTH = 170;

interface ThemeScreensProps {
  theme: ThemeView;
  document: ThemeDocument;
}

/** Typical screens, or those of a flow of the project, in the look of a theme: the real pages side by side. */
export function ThemeScreens({ theme, document }: ThemeScreensProps) {
  const [flowId, setFlowId] = useState(SAMPLE);
  const [dark, setDark] = useState(false);
  const flows = useQuery({ ...flowsQuery(theme.project_id, {}), ...OPTIONAL_QUERY }).data?.items ?? [];
  const shown = useQuery({ ...flowQuery(flowId), enabled: flowId !== SAMPLE, ...OPTIONAL_QUERY }).data;
  const { screens, variables } = (flowId === SAMPLE ? SAMPLE_FLOW : shown) ?? { screens: [], variables: undefined };
  return (
    <Stack component="figure" className={classes.screens} aria-label={words.phones} gap="sm" m={0}>
      <Group justify="space-between" align="flex-end">
        <Select
          label={words.shownFlow}
          size="xs"
          data={[
            { value: SAMPLE, label: words.sampleScreens },
            ...flows.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          allowDeselect={false}
          searchable
          value={flowId}
          onChange={(value) => setFlowId(value ?? SAMPLE)}
        />
        <Switch label={words.dark} checked={dark} onChange={(event) => setDark(event.currentTarget.checked)} />
      </Group>
      <ScreenRow theme={theme} document={document} screens={screens} variables={variables} dark={dark} width={WIDTH} />
    </Stack>
  );
}

interface ScreenRowProps extends ThemeScreensProps {
  screens: typeof SAMPLE_FLOW.screens;
  variables?: typeof SAMPLE_FLOW.variables;
  dark: boolean;
  width?: number;
}

/** Screens beside each other in the look of a document of a theme. */
export function ScreenRow({ theme, document, screens, variables, dark, width = SMALL_WIDTH }: ScreenRowProps) {
  const projectName = useQuery(projectQuery(theme.project_id)).data?.data.name ?? "";
  const flow = useMemo(
    () => ({ projectId: theme.project_id, projectName, flowId: theme.id, theme: document }),
    [theme.project_id, theme.id, projectName, document],
  );
  return (
    <ScrollArea type="auto" offsetScrollbars="x">
      <Group wrap="nowrap" align="flex-start" gap="md">
        {screens.map((screen) => (
          <Thumbnail key={screen.id} flow={flow} variables={variables} screen={screen} width={width} dark={dark} />
        ))}
      </Group>
    </ScrollArea>
  );
}
