import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { projectQuery, useProjectId } from "@/api/projects";
import { ALL_THEMES, themesQuery } from "@/api/themes";
import type { PreviewedFlow } from "@/features/preview/pageDocument";
import { OPTIONAL_QUERY } from "@/ui/optionalQuery";

/** Return what the preview page needs beside a document: the project, and the theme with an id or the default one. */
export function usePreviewed(flowId: string, themeId: string | null): Omit<PreviewedFlow, "document"> {
  const projectId = useProjectId();
  const project = useQuery(projectQuery(projectId)).data?.data;
  const projectName = project?.name ?? "";
  const locale = project && pageLocale(project.settings.locales);
  const themes = useQuery({ ...themesQuery(projectId, ALL_THEMES), ...OPTIONAL_QUERY }).data?.items;
  const theme = themes?.find(({ id }) => id === themeId) ?? themes?.find(({ is_default }) => is_default) ?? null;
  return useMemo(
    () => ({ projectId, projectName, flowId, theme, locale }),
    [projectId, projectName, flowId, theme, locale],
  );
}

/** Return the language of the pages in the base language. A page of a project with English alone follows the device. */
function pageLocale([base, ...others]: readonly string[]): string | undefined {
  return base === "en" && others.length === 0 ? undefined : base;
}
