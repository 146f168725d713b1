import { useQuery } from "@tanstack/react-query";
import type { EditedFlow } from "@/features/editor/queries";
import { memberNamesQuery } from "@/features/members/queries";
import { texts } from "@/texts";
import { ConflictNote } from "@/ui/form/ConflictNote";
import { targetingOf } from "./saving";
import { TargetingInWords } from "./TargetingInWords";

const words = texts.targeting.conflict;

interface TargetingConflictNoteProps {
  theirs: EditedFlow;
  onMine: () => void;
  onTheirs: () => void;
}

/** The targeting that another editor has saved, with the choice between both versions. */
export function TargetingConflictNote({ theirs, onMine, onTheirs }: TargetingConflictNoteProps) {
  const members = useQuery(memberNamesQuery(theirs.flow.project_id)).data;
  const author = members?.get(theirs.savedBy ?? "") ?? texts.editor.conflict.someone;
  return (
    <ConflictNote title={words.title} text={words.text(author)} onMine={onMine} onTheirs={onTheirs}>
      <TargetingInWords targeting={targetingOf(theirs)} />
    </ConflictNote>
  );
}
