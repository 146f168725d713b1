import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api } from "@/api/client";
import { dataOf, pageOf } from "@/api/responses";
import type { MediaUpdateBody, MediaView } from "@/api/schema";
import { upload } from "@/api/upload";

export type { MediaView };

const PAGE = 60;
/** Facts of a file change by its own dialog alone, which renews them. */
const STALE_MILLISECONDS = 5 * 60_000;

/** The media files of a project, the newest first. */
export function mediaListQuery(projectId: string, search: string) {
  return infiniteQueryOptions({
    queryKey: ["media", projectId, { search }],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      pageOf(
        api.GET("/api/media", {
          params: { query: { projectId, page: pageParam, limit: PAGE, ...(search && { search }) } },
          signal,
        }),
      ),
    getNextPageParam: (last, pages) => (pages.length * PAGE < last.pagination.total ? pages.length + 1 : undefined),
  });
}

/** A media file, with what uses it. */
export function mediaQuery(mediaId: string) {
  return queryOptions({
    queryKey: ["media-file", mediaId],
    staleTime: STALE_MILLISECONDS,
    queryFn: ({ signal }) =>
      dataOf(api.GET("/api/media/{media_id}", { params: { path: { media_id: mediaId } }, signal })),
  });
}

/** Change the facts of a file. */
export function changeMedia(mediaId: string, body: MediaUpdateBody) {
  return dataOf(api.PUT("/api/media/{media_id}", { params: { path: { media_id: mediaId } }, body }));
}

/** Delete a file that nothing uses. */
export async function deleteMedia(mediaId: string): Promise<void> {
  await api.DELETE("/api/media/{media_id}", { params: { path: { media_id: mediaId } } });
}

/** Upload a file, a video with the id of its still picture; `onProgress` gets the share that was sent. */
export function uploadMedia(
  projectId: string,
  file: Blob,
  name: string,
  posterId: string | undefined,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<MediaView> {
  const query = new URLSearchParams({
    projectId,
    name: name.slice(0, 100),
    ...(posterId && { poster_media_id: posterId }),
  });
  return upload(`/api/media?${query}`, file, onProgress, signal);
}
