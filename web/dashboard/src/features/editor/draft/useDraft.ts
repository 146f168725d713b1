import { queryOptions } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { keys } from "@/api/keys";
import { membershipQuery } from "@/api/projects";
import { editorTexts } from "@/features/editor/texts";
import { memberNamesQuery } from "@/features/members/queries";
import { texts } from "@/texts";
import { fetchEdited, saveDraft } from "../queries";
import { DraftStore } from "./draftStore";
import { openKeptDrafts } from "./keptDrafts";

const words = editorTexts;
/** A view that is opened again within this time does not read the draft again. */
const FRESH_MILLISECONDS = 10_000;

/**
 * The draft of a flow as a store. All views of the flow share it, so that changes are saved and can be undone after
 * another view was opened. Reading the query again refreshes the store.
 */
export function draftStoreQuery(projectId: string, flowId: string) {
  const queryKey = [...keys.draft.store, flowId];
  return queryOptions({
    queryKey,
    queryFn: async ({ client }) => {
      const known = client.getQueryData<DraftStore>(queryKey);
      if (known) {
        await known.refresh();
        return known;
      }
      const [own, read] = await Promise.all([client.ensureQueryData(membershipQuery(projectId)), fetchEdited(flowId)]);
      const { toast } = await import("@/ui/feedback/feedback");
      return new DraftStore(read, {
        user: own.user_id,
        server: { read: () => fetchEdited(flowId), save: saveDraft },
        kept: await openKeptDrafts(own.user_id, flowId),
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
    },
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
}

/** Show a store: render again with each change, and save when the view, the tab or the page is left. */
export function useDraft(store: DraftStore): DraftStore {
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
