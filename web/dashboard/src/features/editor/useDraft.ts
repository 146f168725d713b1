import { useEffect, useState, useSyncExternalStore } from "react";
import { useKeptWork, useUnsavedWork } from "@/ui/unsavedWork";
import type { FlowDocument } from "./document";
import { DraftSaver } from "./draftSaver";
import { useHistory } from "./history";
import type { EditedFlow } from "./queries";

interface UnsavedDraft {
  document: FlowDocument;
  etag: string | null;
  baseVersion: number;
}

/** Return the edited document with its history, and the saver that keeps it as the draft of the flow. */
export function useDraft(edited: EditedFlow, canEdit: boolean) {
  const key = `flow:${edited.flow.id}`;
  const kept = useKeptWork<UnsavedDraft>(key);
  const restored = canEdit ? kept : null;
  // Restored work keeps the entity tag of the draft that it was based on, so a newer draft is a conflict.
  const [saver] = useState(
    () =>
      new DraftSaver(
        edited.flow.id,
        restored ? { ...edited, etag: restored.etag, baseVersion: restored.baseVersion } : edited,
      ),
  );
  const history = useHistory(restored?.document ?? edited.document);
  const { document } = history;
  const state = useSyncExternalStore(saver.subscribe, () => saver.state);

  useEffect(() => {
    if (canEdit) {
      saver.update(document);
    }
  }, [saver, document, canEdit]);
  useEffect(() => {
    const online = () => void saver.flush();
    window.addEventListener("online", online);
    return () => {
      window.removeEventListener("online", online);
      saver.close();
    };
  }, [saver]);
  const isSaved = document === saver.saved;
  const [work, setWork] = useState<UnsavedDraft | null>(null);
  useEffect(() => {
    setWork(isSaved || !canEdit ? null : { document, ...saver.base });
  }, [isSaved, canEdit, document, saver]);
  useUnsavedWork(key, work);
  return { ...history, saver, state };
}
