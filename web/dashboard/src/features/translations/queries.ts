import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/api/client";
import { keys } from "@/api/keys";
import { dataOf } from "@/api/responses";
import type { components } from "@/api/schema";

export type TranslationRow = components["schemas"]["TranslationRowView"];
export const STATES = ["missing", "outdated", "done"] as const satisfies readonly TranslationRow["state"][];
export const FORMATS = ["csv", "xliff", "json"] as const satisfies readonly components["schemas"]["FileFormat"][];
export type Format = (typeof FORMATS)[number];

/** What is sent for a text: the translation, and the text that was translated. */
export interface Translated {
  text: string;
  base: string;
}

/** Return the key of a text in files, by the specification of languages. */
export function keyOf({ screen_id, pointer }: Pick<TranslationRow, "screen_id" | "pointer">): string {
  return screen_id + pointer;
}

/**
 * The texts of a flow in one language, and the counts of all; without a language there are no texts. `revision` changes
 * with each save of the editor.
 */
export function translationsQuery(flowId: string, locale: string | undefined, revision?: string | null) {
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
export function percentOf(counts: components["schemas"]["TranslationCounts"] | undefined): number {
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

/** Write a file of translations into the draft of a flow, and return the counts. */
export function importFile(flowId: string, locale: string, format: Format, content: string) {
  const params = { path: { flow_id: flowId }, query: { locale } };
  return dataOf(
    api.POST("/api/flows/{flow_id}/translations/import", {
      params,
      body: content,
      bodySerializer: (body: string) => body,
      headers: { "Content-Type": MEDIA_TYPES[format] },
    }),
  );
}

/** Write some texts into the draft of a flow, and return the counts. */
export function saveTexts(flowId: string, locale: string, texts: Record<string, Translated>) {
  return importFile(flowId, locale, "json", JSON.stringify(texts));
}

/** Return the texts of a flow with their translations as a file. */
export async function exportFile(flowId: string, locale: string, format: Format): Promise<Blob> {
  const response = await api.GET("/api/flows/{flow_id}/translations/export", {
    params: { path: { flow_id: flowId }, query: { locale, format } },
    parseAs: "blob",
  });
  return response.data as unknown as Blob;
}
