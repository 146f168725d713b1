import { Alert, Button, Checkbox, Group, List, Radio, Stack, Text, Textarea, TextInput, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconAlertTriangle, IconCheck } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { projectQuery } from "@/api/projects";
import type { ProblemView } from "@/api/schema";
import { useInvalidate } from "@/api/useInvalidate";
import { LiveFacts } from "@/features/audience/LiveFacts";
import { conditionTexts } from "@/features/audience/texts";
import { whoGets } from "@/features/audience/words";
import { editorTexts } from "@/features/editor/texts";
import { takeBackActivation } from "@/features/flows/liveActs";
import { flowTexts, scheduleTexts } from "@/features/flows/texts";
import { PublishFoot } from "@/features/publishing/PublishFoot";
import { Dialog } from "@/ui/feedback/Dialog";
import { useUndo } from "@/ui/feedback/useUndo";
import { dropUnsavedWork, useKeptText } from "@/ui/form/unsavedWork";
import { QueryView, TextSkeleton } from "@/ui/states";
import { documentOf } from "../document";
import type { FlowDraftStore } from "../draft/draftStore";
import { isLogicProblem, languageNamed, placeInWords, problemInWords } from "../form/problems";
import { type FlowNames, namesOf } from "../logic/rules";
import { cancelSchedule, draftReviewQuery, problemsQuery, publish, schedule } from "../queries";
import { Approvals } from "./Approvals";
import { ChangeList } from "./ChangeList";
import { ScreenPairs } from "./ScreenPairs";
import { unpublish } from "./unpublish";

const words = editorTexts.publish;

interface PublishProps {
  store: FlowDraftStore;
  onPublished: () => void;
  onClose: () => void;
}

/**
 * A dialog that publishes the draft: its changes in words, its problems, approvals, a note, now or at a time. It
 * publishes the draft whose changes it shows, or none.
 */
export function Publish({ store, onPublished, onClose }: PublishProps) {
  const { flow, document, liveVersion } = store.stored;
  const invalidate = useInvalidate();
  const offerUndo = useUndo("flow");
  const review = useQuery(draftReviewQuery(flow.id));
  const project = useQuery(projectQuery(flow.project_id)).data?.data;
  const problems = useQuery({ ...problemsQuery(flow.id, "publish"), staleTime: 0, gcTime: 0, meta: undefined });
  const keptNote = `publish:${flow.id}`;
  const [note, setNote] = useKeptText(keptNote);
  const [when, setWhen] = useState("now");
  const [time, setTime] = useState("");
  const [ignoring, setIgnoring] = useState(false);
  const [activating, setActivating] = useState(true);
  const [pictured, { toggle: togglePictures }] = useDisclosure();
  const readAgain = () => Promise.all([store.refresh(), review.refetch(), problems.refetch()]);

  const send = useMutation({
    mutationFn: async () => {
      const etag = review.data?.etag ?? null;
      const common = { note: note.trim() || null, ignore_warnings: ignoring };
      const activate = flow.status !== "active" && activating;
      if (when === "later") {
        const runAt = new Date(time).toISOString();
        const { id } = await schedule(flow.id, { ...common, activate, action: "publish", run_at: runAt }, etag);
        offerUndo(words.scheduled, () => cancelSchedule(flow.id, id), scheduleTexts.cancelled);
        onClose();
        return;
      }
      const version = await publish(flow.id, { ...common, activate }, etag);
      const { number } = version.data;
      if (activate) {
        const takeBack = () => takeBackActivation(flow.id, number, flow.status);
        offerUndo(words.published(number), takeBack, flowTexts.changed.deactivate(flow.name));
      } else {
        offerUndo(words.published(number), () => unpublish(flow.id, version), words.unpublished(number - 1));
      }
      await store.refresh();
      onPublished();
    },
    onSuccess: () => dropUnsavedWork(keptNote),
    onError: readAgain,
    onSettled: () => void invalidate("publication"),
  });
  const rebase = useMutation({ mutationFn: (version: number) => store.rebase(version), onSuccess: readAgain });

  const errors = problems.data?.errors ?? [];
  const warnings = problems.data?.warnings ?? [];
  const draft = review.data?.draft;
  const names = namesOf(document, documentOf(flow));
  const missing = draft ? draft.required_approvals - draft.approvals.length : 0;
  const isStale = draft !== undefined && draft.live_version > draft.base_version;
  const reasons = [
    review.data?.changes.length === 0 && words.isEmpty,
    errors.length > 0 && words.hasErrors,
    isStale && words.isStale,
    missing > 0 && words.approvalsMissing(missing),
    warnings.length > 0 && !ignoring && words.warningsOpen,
    when === "later" && time === "" && words.timeMissing,
  ];
  const reason = reasons.find((entry) => entry !== false);
  const next = (draft?.live_version ?? liveVersion) + 1;

  return (
    <Dialog title={words.title} size="lg" onClose={onClose}>
      <QueryView query={review} skeleton={<TextSkeleton lines={6} />}>
        {({ changes, draft }) => (
          <Stack gap="md">
            <Stack gap="xs" role="group" aria-label={words.changes}>
              <Title order={3}>{words.changes}</Title>
              <ChangeList changes={changes} names={names} />
              {changes.length > 0 && (
                <Button variant="default" mr="auto" aria-expanded={pictured} onClick={togglePictures}>
                  {editorTexts.changes.pictures}
                </Button>
              )}
              {pictured && (
                <ScreenPairs flowId={flow.id} before={documentOf(flow)} after={document} changes={changes} />
              )}
            </Stack>
            {isStale && (
              <Alert color="yellow" title={words.staleTitle(draft.live_version)} icon={<IconAlertTriangle />}>
                <Stack gap="xs" align="flex-start">
                  <Text size="sm">{words.staleText(draft.approvals.length)}</Text>
                  <Button
                    size="xs"
                    variant="default"
                    loading={rebase.isPending}
                    onClick={() => rebase.mutate(draft.live_version)}
                  >
                    {words.rebase(draft.live_version)}
                  </Button>
                </Stack>
              </Alert>
            )}
            <Problems errors={errors} warnings={warnings} names={names} checked={problems.data !== undefined} />
            {warnings.length > 0 && (
              <Checkbox
                label={words.ignoreWarnings}
                checked={ignoring}
                onChange={(event) => setIgnoring(event.currentTarget.checked)}
              />
            )}
            {draft.required_approvals > 0 && <Approvals draft={draft} projectId={flow.project_id} />}
            <Textarea
              label={words.note}
              description={words.noteHelp}
              maxLength={500}
              autosize
              minRows={2}
              value={note}
              onChange={(event) => setNote(event.target.value)}
            />
            <LiveFacts
              projectId={flow.project_id}
              who={
                flow.status === "active" || activating
                  ? whoGets(
                      { ...flow, targeting: document.targeting, status: "active" },
                      project?.settings.default_flow_id ?? null,
                    )
                  : conditionTexts.notActive
              }
              flow={flow}
              at={when === "later" ? time : undefined}
            />
            <Radio.Group label={words.when} value={when} onChange={setWhen}>
              <Group gap="md" mt={4}>
                <Radio value="now" label={words.now} />
                <Radio value="later" label={words.later} />
              </Group>
            </Radio.Group>
            {when === "later" && (
              <TextInput
                type="datetime-local"
                label={words.time}
                description={words.timeHelp(Intl.DateTimeFormat().resolvedOptions().timeZone)}
                value={time}
                onChange={(event) => setTime(event.target.value)}
              />
            )}
            {flow.status !== "active" && (
              <Checkbox
                label={words.activate}
                checked={activating}
                onChange={(event) => setActivating(event.currentTarget.checked)}
              />
            )}
            <PublishFoot
              send={send}
              hasChanged={words.hasChanged}
              reason={reason}
              isReady={draft !== undefined && problems.data !== undefined}
              submit={when === "later" ? words.submitLater : words.submit(next)}
              onClose={onClose}
            />
          </Stack>
        )}
      </QueryView>
    </Dialog>
  );
}

interface ProblemsProps {
  errors: readonly ProblemView[];
  warnings: readonly ProblemView[];
  names: FlowNames;
  checked: boolean;
}

/** The errors and warnings of the draft, in words. */
function Problems({ errors, warnings, names, checked }: ProblemsProps) {
  if (!checked) {
    return <TextSkeleton lines={1} />;
  }
  if (errors.length + warnings.length === 0) {
    return (
      <Group gap="xs">
        <IconCheck size={18} />
        <Text>{words.noProblems}</Text>
      </Group>
    );
  }
  const line = ({ field, code, message }: ProblemView) => {
    const [, , id, part = "", ...member] = field.split("/");
    const place = id === undefined ? words.flow : (names.screens.get(id) ?? editorTexts.changes.screen);
    if (isLogicProblem(code)) {
      return `${field.startsWith("/variables") ? words.variable : place}: ${problemInWords({ code, message })}`;
    }
    const inner = placeInWords(part === "localizations" ? [part, ...member] : member);
    return `${[place, ...(inner ? [inner] : [])].join(", ")} ${languageNamed(message)}`;
  };
  return (
    <>
      {errors.length > 0 && (
        <Alert color="red" title={words.errors} icon={<IconAlertTriangle />}>
          <List size="sm">
            {errors.map((problem) => (
              <List.Item key={line(problem)}>{line(problem)}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      {warnings.length > 0 && (
        <Alert color="yellow" title={words.warnings} icon={<IconAlertTriangle />}>
          <List size="sm">
            {warnings.map((problem) => (
              <List.Item key={line(problem)}>{line(problem)}</List.Item>
            ))}
          </List>
        </Alert>
      )}
    </>
  );
}
