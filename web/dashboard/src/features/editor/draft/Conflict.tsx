import { editorTexts } from "@/features/editor/texts";
import { namesOf } from "../logic/rules";
import { ChangeList } from "../publish/ChangeList";
import { documentChanges } from "../publish/changes";
import type { EditedFlow } from "../queries";
import { ConflictDialog } from "./ConflictDialog";
import type { FlowDraftStore } from "./draftStore";

interface ConflictProps {
  store: FlowDraftStore;
  theirs: EditedFlow;
  onClose: () => void;
}

/** The conflict of a flow. Rules of both sides name their screens. */
export function Conflict({ store, theirs, onClose }: ConflictProps) {
  const names = namesOf(store.document, theirs.document, store.stored.document);
  return (
    <ConflictDialog
      title={editorTexts.conflict.title}
      store={store}
      theirs={theirs}
      changes={(base, side) => <ChangeList changes={documentChanges(base, side)} names={names} />}
      onClose={onClose}
    />
  );
}
