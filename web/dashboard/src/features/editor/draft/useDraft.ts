import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { keys } from "@/api/keys";
import { membershipQuery } from "@/api/projects";
import { editorTexts } from "@/features/editor/texts";
import { memberNamesQuery } from "@/features/members/queries";
import { texts } from "@/texts";
import { type Edited, fetchEdited, saveDraft } from "../queries";
import type { DraftServer } from "./draftServer";
import { DraftStore } from "./draftStore";
import { openKeptDrafts } from "./keptDrafts";
import { type Merger, merge } from "./merge";

const words = editorTexts;
/** A view that is opened again within this time does not read the draft again. */
const FRESH_MILLISECONDS = 10_000;

/** The store of the draft of a flow, for all views of the flow. */
export function draftStoreQuery(projectId: string, flowId: string) {
  const queryKey = [...keys.draft.store, flowId];
  return queryOptions({
    queryKey,
    queryFn: ({ client }) =>
      openDraftStore(client, queryKey, projectId, merge, { read: () => fetchEdited(flowId), save: saveDraft }),
    ...LASTING,
  });
}

/** A store stays the same: reading its query again refreshes it. */
export const LASTING = { staleTime: Number.POSITIVE_INFINITY, structuralSharing: false } as const;

/**
 * Return the store of a draft, from the cache or a new one. All views of a flow or a theme share it, so that changes are
 * saved and can be undone after another view was opened. The last part of the key is the id of the flow or the theme.
 */
export async function openDraftStore<Document, Read extends Edited<Document>>(
  client: QueryClient,
  queryKey: readonly string[],
  projectId: string,
  merge: Merger<Document>,
  server: DraftServer<Document, Read>,
): Promise<DraftStore<Document, Read>> {
  const known = client.getQueryData<DraftStore<Document, Read>>(queryKey);
  if (known) {
    await known.refresh();
    return known;
  }
  const [own, read] = await Promise.all([client.ensureQueryData(membershipQuery(projectId)), server.read()]);
  const { toast } = await import("@/ui/feedback/feedback");
  return new DraftStore(read, {
    user: own.user_id,
    server,
    merge,
    kept: await openKeptDrafts<Document>(own.user_id, queryKey.at(-1) ?? ""),
    onNotice: async (notice) => {
      if (notice.kind === "restored") {
        toast(texts.ui.restored);
      } else if (notice.by === own.user_id) {
        toast(notice.replaced ? words.merged.ownReplaced : words.merged.own);
      } else {
        const names = await client.fetchQuery(memberNamesQuery(projectId)).catch(() => null);
        toast(words.merged.by(names?.get(notice.by ?? "") ?? words.conflict.someone));
      }
    },
  });
}

/** Show a store: render again with each change, and save when the view, the tab or the page is left. */
export function useDraft<Document, Read extends Edited<Document>>(
  store: DraftStore<Document, Read>,
): DraftStore<Document, Read> {
  useSyncExternalStore(store.subscribe, () => store.revision);
  useEffect(() => {
    const listeners = {
      online: () => void store.flush(),
      pagehide: () => store.leave(),
      visibilitychange: () => void (document.hidden ? store.flush() : store.refresh(FRESH_MILLISECONDS)),
      beforeunload: (event: Event) => store.isAtRisk && event.preventDefault(),
    };
    for (const [type, listener] of Object.entries(listeners)) {
      window.addEventListener(type, listener);
    }
    void store.refresh(FRESH_MILLISECONDS);
    return () => {
      for (const [type, listener] of Object.entries(listeners)) {
        window.removeEventListener(type, listener);
      }
      void store.flush();
    };
  }, [store]);
  return store;
}
