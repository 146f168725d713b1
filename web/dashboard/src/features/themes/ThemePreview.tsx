import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { projectQuery } from "@/api/projects";
import type { ThemeView } from "@/api/schema";
import { Phone } from "@/features/editor/preview/Phone";
import { SAMPLE_FLOW } from "./sampleFlow";
import { bodyOf, type ThemeValues } from "./style";
import classes from "./ThemePreview.module.css";
import { themeTexts } from "./texts";

interface ThemePreviewProps {
  theme: ThemeView;
  /** The values as they are typed. */
  values: ThemeValues;
}

/** Screens of a sample flow in the look of a theme: the real page, as in the editor of flows. */
export function ThemePreview({ theme, values }: ThemePreviewProps) {
  const project = useQuery(projectQuery(theme.project_id)).data?.data;
  const [screenId, setScreenId] = useState("");
  const flow = useMemo(
    () => ({
      projectId: theme.project_id,
      projectName: project?.name ?? "",
      flowId: theme.id,
      document: SAMPLE_FLOW,
      theme: bodyOf(theme, values),
    }),
    [theme, values, project],
  );
  return (
    <figure className={classes.preview} aria-label={themeTexts.preview}>
      <Phone flow={flow} screenId={screenId} onScreen={setScreenId} />
      <Text component="figcaption" size="xs" c="dimmed" mt="xs" ta="center">
        {themeTexts.previewCaption}
      </Text>
    </figure>
  );
}
