import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/api/client";
import { pageOf, taggedOf } from "@/api/responses";

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
    queryKey: ["themes", projectId, search],
    queryFn: ({ signal }) => pageOf(api.GET("/api/themes", { params: { query: { projectId, ...search } }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** One theme with its entity tag. */
export function themeQuery(themeId: string) {
  return queryOptions({
    queryKey: ["theme", themeId],
    queryFn: ({ signal }) =>
      taggedOf(api.GET("/api/themes/{theme_id}", { params: { path: { theme_id: themeId } }, signal })),
  });
}
