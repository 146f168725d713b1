import { IconFlask } from "@tabler/icons-react";
import { useProjectId } from "@/api/projects";
import { ButtonLink } from "@/ui/links";
import { EmptyState } from "@/ui/states";
import { experimentTexts } from "../texts";

const words = experimentTexts;

/** The view of a viewer in place of the form of an experiment. */
export function OnlyEditors() {
  const projectId = useProjectId();
  return (
    <EmptyState
      titleOrder={1}
      icon={<IconFlask size={32} stroke={1.5} />}
      title={words.onlyEditors}
      text={words.onlyEditorsText}
      action={
        <ButtonLink variant="default" to="/projects/$projectId/experiments" params={{ projectId }}>
          {words.toList}
        </ButtonLink>
      }
    />
  );
}
