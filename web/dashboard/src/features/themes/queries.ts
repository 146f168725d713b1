import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "@/api/client";
import { keys } from "@/api/keys";
import { dataOf, pageOf, taggedOf } from "@/api/responses";
import type {
  RestoreBody,
  ThemeDocumentView,
  ThemeDraftBody,
  ThemeDraftView,
  ThemePublishBody,
  ThemeVersionWithDocument,
  ThemeView,
} from "@/api/schema";
import { updateTheme } from "@/api/themes";
import { mergerOf } from "@/features/editor/draft/merge";
import { LASTING, openDraftStore } from "@/features/editor/draft/useDraft";
import { draftPrecondition, type Edited, isNotFound, isShort } from "@/features/editor/queries";
import { documentOf, type ThemeDocument } from "./document";

/** The theme that its editor loads. */
export interface EditedTheme extends Edited<ThemeDocument> {
  theme: ThemeView;
}

const pathOf = (themeId: string) => ({ path: { theme_id: themeId } });
const merge = mergerOf<ThemeDocument>(["colors", "typography", "borderRadius", "button"]);

/** The store of the draft of a theme, for all views of the theme. */
export function themeStoreQuery(projectId: string, themeId: string) {
  const queryKey = [...keys.draft.store, themeId];
  const server = { read: () => fetchEdited(themeId), save };
  return queryOptions({
    queryKey,
    queryFn: ({ client }) => openDraftStore(client, queryKey, projectId, merge, server),
    ...LASTING,
  });
}

async function fetchEdited(themeId: string): Promise<EditedTheme> {
  const params = { ...pathOf(themeId), query: { include: "draft" as const } };
  const theme = await dataOf(api.GET("/api/themes/{theme_id}", { params }));
  const draft = theme.has_draft ? await fetchDraft(themeId).catch(isNotFound) : null;
  const liveVersion = theme.version ?? 1;
  if (draft === null) {
    const none = { etag: null, savedBy: null, savedAt: null };
    return { theme, document: documentOf(theme), baseVersion: liveVersion, liveVersion, ...none };
  }
  const { data, etag } = draft;
  return {
    theme,
    document: data.document,
    etag,
    baseVersion: data.base_version,
    liveVersion: data.live_version,
    savedBy: data.updated_by,
    savedAt: data.updated_at,
  };
}

function fetchDraft(themeId: string) {
  return taggedOf(api.GET("/api/themes/{theme_id}/draft", { params: pathOf(themeId) }));
}

function save(before: EditedTheme, body: { document: ThemeDocument; base_version: number }, isLast: boolean) {
  const params = { ...pathOf(before.theme.id), header: draftPrecondition(before.etag) };
  const keepalive = isLast && isShort(body);
  return taggedOf(api.PUT("/api/themes/{theme_id}/draft", { params, body: body as ThemeDraftBody, keepalive }));
}

/** Publish the draft with this entity tag and return the new version with its own. */
export function publishTheme(themeId: string, body: ThemePublishBody, etag: string | null) {
  const params = { ...pathOf(themeId), header: etag === null ? undefined : { "If-Match": etag } };
  return taggedOf(api.POST("/api/themes/{theme_id}/publish", { params, body }));
}

/** Delete the draft; with an entity tag only if it still has it. */
export async function discardThemeDraft(themeId: string, etag: string | null = null): Promise<void> {
  const params = { ...pathOf(themeId), header: etag === null ? undefined : { "If-Match": etag } };
  await api.DELETE("/api/themes/{theme_id}/draft", { params });
}

/** Make a theme the default one, or no longer. */
export function setDefault(themeId: string, isDefault: boolean) {
  return updateTheme(themeId, { is_default: isDefault }, null);
}

/**
 * Make the version before a publication live again, unless another one is live by now. What was published becomes the
 * draft again, unless there is a new one.
 */
export async function unpublishTheme(
  themeId: string,
  { data, etag }: { data: ThemeVersionWithDocument; etag: string | null },
): Promise<void> {
  const restored = await restoreTheme(themeId, data.number - 1, etag);
  const body = { document: data.document, base_version: restored.data.number } as ThemeDraftBody;
  const params = { ...pathOf(themeId), header: draftPrecondition(null) };
  await api.PUT("/api/themes/{theme_id}/draft", { params, body }).catch(() => undefined);
}

/** Make a version live again and return the new one; with an entity tag only if that version is still the live one. */
export function restoreTheme(themeId: string, number: number, liveEtag: string | null) {
  const header = liveEtag === null ? undefined : { "If-Match": liveEtag };
  return restored<ThemeVersionWithDocument>(themeId, number, { to: "live" }, header);
}

/** Make a version the draft. Return the function that takes it back, unless the draft has changed since. */
export async function restoreThemeToDraft(themeId: string, number: number): Promise<() => Promise<unknown>> {
  const before = await fetchEdited(themeId);
  const { etag } = await restored<ThemeDraftView>(themeId, number, { to: "draft" }, draftPrecondition(before.etag));
  const body = { document: before.document, base_version: before.baseVersion } as ThemeDraftBody;
  const params = { ...pathOf(themeId), header: draftPrecondition(etag) };
  return before.etag === null
    ? () => discardThemeDraft(themeId, etag)
    : () => taggedOf(api.PUT("/api/themes/{theme_id}/draft", { params, body }));
}

type Precondition = ReturnType<typeof draftPrecondition>;

function restored<View>(themeId: string, number: number, body: RestoreBody, header: Precondition | undefined) {
  const params = { path: { theme_id: themeId, number: String(number) }, header };
  const restoring = api.POST("/api/themes/{theme_id}/versions/{number}/restore", { params, body });
  // The target of the restore decides which of both views the response has.
  return taggedOf(restoring as Promise<{ data?: { data: View }; response: Response }>);
}

/** The versions of a theme, the newest first. */
export function themeVersionsQuery(themeId: string, page: number) {
  return queryOptions({
    queryKey: [...keys.themes.versions, themeId, page],
    queryFn: ({ signal }) =>
      pageOf(
        api.GET("/api/themes/{theme_id}/versions", {
          params: { ...pathOf(themeId), query: { page, limit: 20 } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** A version of a theme with its document and its entity tag; null before the first version. */
export function themeVersionQuery(themeId: string, number: number) {
  const path = { theme_id: themeId, number: String(number) };
  return queryOptions({
    queryKey: [...keys.version.document, themeId, number],
    queryFn: ({ signal }) =>
      taggedOf(api.GET("/api/themes/{theme_id}/versions/{number}", { params: { path }, signal })),
    // Direct writes may replace the newest version for a few minutes.
    staleTime: 0,
    enabled: number > 0,
  });
}

export type { ThemeDocumentView };
