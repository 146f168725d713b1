import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/api/client";
import { keys } from "@/api/keys";
import { dataOf } from "@/api/responses";
import type { components } from "@/api/schema";

/** A text; that of a project has its flow. */
export type TranslationRow = components["schemas"]["TranslationRowView"] & { flow_id?: string; flow_name?: string };
/** Whose texts a table has: those of a flow, or of all flows of a project. */
export type Scope = { flowId: string } | { projectId: string };
type Counts = components["schemas"]["TranslationCounts"];
export const STATES = ["missing", "outdated", "done"] as const satisfies readonly TranslationRow["state"][];
export const FORMATS = ["csv", "xliff", "json"] as const satisfies readonly components["schemas"]["FileFormat"][];
export type Format = (typeof FORMATS)[number];

/** What is sent for a text: the translation, and the text that was translated. */
export interface Translated {
  text: string;
  base: string;
  /** Whether an outdated translation holds for the present text. */
  confirmed?: boolean;
}

/** Return the key of a text in files, by the specification of languages. */
export function keyOf({ flow_id, screen_id, pointer }: TranslationRow): string {
  return `${flow_id === undefined ? "" : `${flow_id}/`}${screen_id}${pointer}`;
}

/** Return the id of the flow or the project. */
export function idOf(scope: Scope): string {
  return "flowId" in scope ? scope.flowId : scope.projectId;
}

/** The texts of a flow or of a project in one language, and the counts of all. */
export function scopeQuery(scope: Scope, locale: string) {
  const query = { locale };
  return queryOptions({
    queryKey: [...keys.flows.translations, idOf(scope), locale, undefined],
    queryFn: ({ signal }): Promise<{ rows: TranslationRow[]; summary: Record<string, Counts> }> =>
      "flowId" in scope
        ? dataOf(
            api.GET("/api/flows/{flow_id}/translations", {
              params: { path: { flow_id: scope.flowId }, query },
              signal,
            }),
          )
        : dataOf(
            api.GET("/api/projects/{project_id}/translations", {
              params: { path: { project_id: scope.projectId }, query },
              signal,
            }),
          ),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/**
 * The texts of a flow in one language for its editor, and the counts of all; without a language there are no texts.
 * `revision` changes with each save.
 */
export function translationsQuery(flowId: string, locale: string | undefined, revision: string | null) {
  return queryOptions({
    queryKey: [...keys.flows.translations, flowId, locale, revision],
    queryFn: ({ signal }) => {
      const params = { path: { flow_id: flowId }, query: { locale } };
      return dataOf(api.GET("/api/flows/{flow_id}/translations", { params, signal }));
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** Return the part of the texts that is translated, in whole percent. */
export function percentOf(counts: Counts | undefined): number {
  return counts?.total ? Math.floor((100 * counts.done) / counts.total) : 0;
}

const MEDIA_TYPES: Record<Format, string> = {
  csv: "text/csv",
  json: "application/json",
  xliff: "application/xliff+xml",
};

/** Return the format of a file by its name, undefined for another one. */
export function formatOf(name: string): Format | undefined {
  const suffix = name.toLowerCase().split(".").pop();
  return FORMATS.find((format) => format === (suffix === "xlf" ? "xliff" : suffix));
}

/** Write a file of translations into the draft of a flow, or into those of a project, and return the counts. */
export function importFile(scope: Scope, locale: string, format: Format, content: string) {
  const options = {
    body: content,
    bodySerializer: (body: string) => body,
    headers: { "Content-Type": MEDIA_TYPES[format] },
  };
  const query = { locale };
  return dataOf(
    "flowId" in scope
      ? api.POST("/api/flows/{flow_id}/translations/import", {
          params: { path: { flow_id: scope.flowId }, query },
          ...options,
        })
      : api.POST("/api/projects/{project_id}/translations/import", {
          params: { path: { project_id: scope.projectId }, query },
          ...options,
        }),
  );
}

/** Translate missing texts of a flow by a machine, into its draft. One request takes some of them. */
export function draftByMachine(flowId: string, locale: string) {
  const params = { path: { flow_id: flowId }, query: { locale } };
  return dataOf(api.POST("/api/flows/{flow_id}/translations/draft", { params }));
}

/** Write some texts into the drafts, and return the counts. An empty text takes its translation away. */
export function saveTexts(scope: Scope, locale: string, texts: Record<string, Translated>) {
  const rows = Object.entries(texts).map(([key, row]) => [key, { ...row, text: row.text === "" ? null : row.text }]);
  return importFile(scope, locale, "json", JSON.stringify(Object.fromEntries(rows)));
}

/** Return the texts of a flow or a project with their translations as a file. */
export async function exportFile(scope: Scope, locale: string, format: Format): Promise<Blob> {
  const query = { locale, format };
  const response =
    "flowId" in scope
      ? await api.GET("/api/flows/{flow_id}/translations/export", {
          params: { path: { flow_id: scope.flowId }, query },
          parseAs: "blob",
        })
      : await api.GET("/api/projects/{project_id}/translations/export", {
          params: { path: { project_id: scope.projectId }, query },
          parseAs: "blob",
        });
  return response.data as unknown as Blob;
}
