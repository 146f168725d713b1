import { ActionIcon, Button, List, Menu, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDots, IconPencil, IconPlayerPause, IconPlayerPlay, IconTrash } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import type { Tagged } from "@/api/responses";
import type { ExperimentView, ListedFlowView } from "@/api/schema";
import { useInvalidate } from "@/api/useInvalidate";
import { isBehindDefault, shareInWords, targetingInWords, whoGets } from "@/features/audience/words";
import { texts } from "@/texts";
import { toast } from "@/ui/feedback/feedback";
import { lazyDialog } from "@/ui/feedback/lazyDialog";
import { useUndo } from "@/ui/feedback/useUndo";
import { MenuItemLink } from "@/ui/links";
import { deleteExperiment, pauseExperiment, startExperiment } from "./queries";
import type { Verdict } from "./results/verdict";
import { experimentTexts } from "./texts";

const Confirm = lazyDialog(async () => (await import("@/ui/feedback/Confirm")).Confirm);
const WhatUsersGet = lazyDialog(async () => (await import("@/features/audience/WhatUsersGet")).WhatUsersGet);
const Decide = lazyDialog(async () => (await import("./results/Decide")).Decide);
const EditStarted = lazyDialog(async () => (await import("./form/EditStarted")).EditStarted);

const words = experimentTexts.life;

interface ExperimentActionsProps {
  experiment: Tagged<ExperimentView>;
  /** Undefined until the results are there. */
  verdict: Verdict | undefined;
  /** The flows of the project, as far as they are known. */
  flows: readonly ListedFlowView[];
}

/** The actions of an editor that the state of an experiment allows: start, pause, resume, decide, edit, delete. */
export function ExperimentActions({ experiment: tagged, verdict, flows }: ExperimentActionsProps) {
  const experiment = tagged.data;
  const { id, name, status, project_id } = experiment;
  const invalidate = useInvalidate();
  const [deciding, decide] = useDisclosure();
  const [editing, edit] = useDisclosure();
  const [deleting, remove] = useDisclosure();
  const [asking, ask] = useDisclosure();
  const offerUndo = useUndo("experiment");
  const isActive = status === "running" || status === "paused";
  async function startOrPause() {
    try {
      if (status === "running") {
        const paused = await pauseExperiment(id, tagged.etag);
        offerUndo(words.paused, () => startExperiment(id, paused.etag), words.started(name));
      } else {
        const started = await startExperiment(id, tagged.etag);
        // A draft that was started is no draft any more: it pauses.
        offerUndo(words.started(name), () => pauseExperiment(id, started.etag), words.paused);
      }
    } finally {
      await invalidate("experiment");
    }
  }
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
            <Menu.Item leftSection={<IconPlayerPause size={18} />} onClick={ask.open}>
              {words.pause}
            </Menu.Item>
          )}
          {status === "paused" && (
            <Menu.Item leftSection={<IconPlayerPlay size={18} />} onClick={ask.open}>
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
      {status === "draft" && <Button onClick={ask.open}>{words.start}</Button>}
      {isActive && (
        <Button disabled={verdict === undefined} onClick={decide.open}>
          {words.decide}
        </Button>
      )}
      {asking && status !== "completed" && (
        <WhatUsersGet
          projectId={project_id}
          title={{ draft: words.startTitle, paused: words.resumeTitle, running: words.pauseTitle }[status](name)}
          action={{ draft: words.start, paused: words.resume, running: words.pause }[status]}
          who={shareInWords(targetingInWords(experiment.audience), experiment.traffic_percentage)}
          onConfirm={startOrPause}
          onClose={ask.close}
        >
          {status === "running" ? (
            <Text size="sm">{words.pauseText}</Text>
          ) : (
            <>
              <Text size="sm">{words.startText(experiment.variants.length)}</Text>
              <Overridden flows={flows} />
            </>
          )}
        </WhatUsersGet>
      )}
      {deciding && verdict && (
        <Decide
          experiment={tagged}
          verdict={verdict}
          flowNames={new Map(flows.map((flow) => [flow.id, flow.name]))}
          onClose={decide.close}
        />
      )}
      {editing && <EditStarted experiment={tagged} onClose={edit.close} />}
      {deleting && <DeleteExperiment experiment={experiment} onClose={remove.close} />}
    </>
  );
}

/** The flows that the users of a running experiment do not get, each with its devices. */
function Overridden({ flows }: { flows: readonly ListedFlowView[] }) {
  const defaultFlowId = flows.find(({ is_default }) => is_default)?.id ?? null;
  const tried = flows.filter((flow) => flow.status === "active" && !isBehindDefault(flow, defaultFlowId));
  return (
    <div>
      <Text size="sm">{tried.length === 0 ? words.overridesNothing : words.overrides}</Text>
      <List size="sm">
        {tried.map((flow) => (
          <List.Item key={flow.id}>{words.flowFor(flow.name, whoGets(flow, defaultFlowId))}</List.Item>
        ))}
      </List>
    </div>
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
