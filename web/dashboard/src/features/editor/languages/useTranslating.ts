import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { projectQuery, useProjectId } from "@/api/projects";
import { translationsQuery } from "@/features/translations/queries";
import { OPTIONAL_QUERY } from "@/ui/optionalQuery";
import type { FlowScreen } from "../document";
import type { FlowDraftStore } from "../draft/draftStore";
import { inLanguage } from "./translating";

/** The language in which the editor shows texts. */
export type Translating = ReturnType<typeof useTranslating>;

/**
 * Return the languages of the flow, and the document in the `wanted` one. `locale` is null in the base language.
 * `isKnown` tells whether the service has the base texts of a screen.
 */
export function useTranslating({ document, stored, isDirty }: FlowDraftStore, wanted: string) {
  const projectId = useProjectId();
  const locales = useQuery(projectQuery(projectId)).data?.data.settings.locales ?? [];
  const locale = locales.slice(1).find((known) => known === wanted) ?? null;
  // The service knows which members are texts. Each save may have changed them.
  const query = useQuery({
    ...translationsQuery(stored.flow.id, locale ?? undefined, stored.etag),
    enabled: locales.length > 1,
    ...OPTIONAL_QUERY,
  });
  const shown = useMemo(
    () => (locale === null ? document : inLanguage(document, locale, locales)),
    [document, locale, locales],
  );
  const isKnown = (screen: FlowScreen) =>
    !isDirty || stored.document.screens.some(({ id, content }) => id === screen.id && content === screen.content);
  return { locales, locale, query, shown, isKnown };
}
