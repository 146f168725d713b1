import { useQueries } from "@tanstack/react-query";
import type { MediaView } from "@/api/schema";
import { mediaQuery } from "./queries";

/**
 * Return the files with these ids that have been read, with their partners. The map stays the same until a file
 * arrives.
 */
export function useMediaFiles(ids: readonly string[]): ReadonlyMap<string, MediaView> {
  const files = useFiles(ids);
  const partners = [...files.values()].flatMap((file) => [file.dark_media_id, file.poster_media_id]);
  return useFiles([...new Set([...ids, ...partners.filter((id) => id !== null)])]);
}

function useFiles(ids: readonly string[]): ReadonlyMap<string, MediaView> {
  return useQueries({
    queries: ids.map((id) => ({ ...mediaQuery(id), retry: false })),
    combine: filesOf,
  });
}

/** A function that stays the same, so that the result does, too. */
function filesOf(results: readonly { data?: MediaView }[]): ReadonlyMap<string, MediaView> {
  return new Map(results.flatMap(({ data }) => (data ? [[data.id, data]] : [])));
}
