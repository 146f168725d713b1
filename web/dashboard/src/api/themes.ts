import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/api/client";
import { dataOf, pageOf, taggedOf } from "@/api/responses";
import type { ThemeCreateBody, ThemeUpdateBody } from "@/api/schema";
import { keys } from "./keys";

export const THEME_SORTS = ["name", "-name", "created_at", "-created_at"] as const;
export type ThemeSort = (typeof THEME_SORTS)[number];

export interface ThemesSearch {
  page?: number;
  sort?: ThemeSort;
  limit?: number;
}

/** The longest page of themes: those that a flow can choose. */
export const ALL_THEMES: ThemesSearch = { limit: 100 };

/** The themes of a project, a page at a time. */
export function themesQuery(projectId: string, search: ThemesSearch) {
  return queryOptions({
    queryKey: [...keys.themes.list, projectId, search],
    queryFn: ({ signal }) =>
      pageOf(api.GET("/api/themes", { params: { query: { projectId, include: "draft", ...search } }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** One theme with its entity tag. */
export function themeQuery(themeId: string) {
  return queryOptions({
    queryKey: [...keys.themes.one, themeId],
    queryFn: ({ signal }) =>
      taggedOf(
        api.GET("/api/themes/{theme_id}", {
          params: { path: { theme_id: themeId }, query: { include: "draft" } },
          signal,
        }),
      ),
  });
}

/** Create a theme and return it. */
export function createTheme(body: ThemeCreateBody) {
  return dataOf(api.POST("/api/themes", { body }));
}

/** Change a theme and return it with its new entity tag; with an entity tag only if the theme still has it. */
export function updateTheme(themeId: string, body: ThemeUpdateBody, etag: string | null) {
  const params = { path: { theme_id: themeId }, header: etag ? { "If-Match": etag } : undefined };
  return taggedOf(api.PUT("/api/themes/{theme_id}", { params, body }));
}

export async function deleteTheme(themeId: string): Promise<void> {
  await api.DELETE("/api/themes/{theme_id}", { params: { path: { theme_id: themeId } } });
}
