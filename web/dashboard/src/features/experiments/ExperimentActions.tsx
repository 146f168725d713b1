import { ActionIcon, Button, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDots, IconPencil, IconPlayerPause, IconPlayerPlay, IconTrash } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Tagged } from "@/api/responses";
import type { ExperimentView } from "@/api/schema";
import { useInvalidate } from "@/api/useInvalidate";
import { texts } from "@/texts";
import { Confirm } from "@/ui/Confirm";
import { toast, toastError, toastWithUndo } from "@/ui/feedback";
import { lazyDialog } from "@/ui/lazyDialog";
import { MenuItemLink } from "@/ui/links";
import { deleteExperiment, pauseExperiment, startExperiment } from "./queries";
import type { Verdict } from "./results/verdict";
import { experimentTexts } from "./texts";

const Decide = lazyDialog(async () => (await import("./results/Decide")).Decide);
const EditStarted = lazyDialog(async () => (await import("./form/EditStarted")).EditStarted);

const words = experimentTexts.life;

interface ExperimentActionsProps {
  experiment: Tagged<ExperimentView>;
  /** Undefined until the results are there. */
  verdict: Verdict | undefined;
  flowNames: ReadonlyMap<string, string>;
}

/** The actions of an editor that the state of an experiment allows: start, pause, resume, decide, edit, delete. */
export function ExperimentActions({ experiment: tagged, verdict, flowNames }: ExperimentActionsProps) {
  const experiment = tagged.data;
  const { id, name, status, project_id } = experiment;
  const invalidate = useInvalidate();
  const [deciding, decide] = useDisclosure();
  const [editing, edit] = useDisclosure();
  const [deleting, remove] = useDisclosure();
  const [starting, askToStart] = useDisclosure();
  const start = useMutation({
    mutationFn: () => startExperiment(id),
    onSuccess: () => toast(words.started(name)),
    onError: (error) => toastError(error),
    onSettled: () => invalidate("experiment"),
  });
  const pause = useMutation({
    mutationFn: () => pauseExperiment(id),
    onSuccess: () => toastWithUndo(words.paused, () => start.mutate()),
    onError: (error) => toastError(error),
    onSettled: () => invalidate("experiment"),
  });
  async function startDraft() {
    await startExperiment(id);
    toast(words.started(name));
    await invalidate("experiment");
  }
  const isActive = status === "running" || status === "paused";
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={texts.ui.more(name)}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {status === "draft" ? (
            <MenuItemLink
              to="/projects/$projectId/experiments/$experimentId/edit"
              params={{ projectId: project_id, experimentId: id }}
              leftSection={<IconPencil size={18} />}
            >
              {words.editDraft}
            </MenuItemLink>
          ) : (
            <Menu.Item leftSection={<IconPencil size={18} />} onClick={edit.open}>
              {words.edit}
            </Menu.Item>
          )}
          {status === "running" && (
            <Menu.Item leftSection={<IconPlayerPause size={18} />} onClick={() => pause.mutate()}>
              {words.pause}
            </Menu.Item>
          )}
          {status === "paused" && (
            <Menu.Item leftSection={<IconPlayerPlay size={18} />} onClick={() => start.mutate()}>
              {words.resume}
            </Menu.Item>
          )}
          {!isActive && (
            <Menu.Item leftSection={<IconTrash size={18} />} onClick={remove.open}>
              {words.delete}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {status === "draft" && <Button onClick={askToStart.open}>{words.start}</Button>}
      {isActive && (
        <Button disabled={verdict === undefined} onClick={decide.open}>
          {words.decide}
        </Button>
      )}
      {starting && (
        <Confirm
          title={words.startTitle(name)}
          text={words.startText(experiment.variants.length)}
          action={words.start}
          isDestructive={false}
          onConfirm={startDraft}
          onClose={askToStart.close}
        />
      )}
      {deciding && verdict && (
        <Decide experiment={experiment} verdict={verdict} flowNames={flowNames} onClose={decide.close} />
      )}
      {editing && <EditStarted experiment={tagged} onClose={edit.close} />}
      {deleting && <DeleteExperiment experiment={experiment} onClose={remove.close} />}
    </>
  );
}

/** The question before an experiment is deleted. */
function DeleteExperiment({ experiment, onClose }: { experiment: ExperimentView; onClose: () => void }) {
  const navigate = useNavigate();
  const invalidate = useInvalidate();
  async function remove() {
    await deleteExperiment(experiment.id);
    await navigate({ to: "/projects/$projectId/experiments", params: { projectId: experiment.project_id } });
    await invalidate("experiment");
    toast(words.deleted(experiment.name));
  }
  return (
    <Confirm
      title={words.deleteTitle(experiment.name)}
      text={experiment.status === "draft" ? words.deleteDraft : words.deleteCompleted}
      phrase={experiment.name}
      action={words.deleteAction}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
