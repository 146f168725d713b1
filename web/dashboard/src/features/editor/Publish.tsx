import { Alert, Button, Checkbox, Group, List, Radio, Stack, Text, Textarea, TextInput, Title } from "@mantine/core";
import { IconAlertTriangle, IconCheck } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ProblemView } from "@/api/schema";
import { useInvalidate } from "@/api/useInvalidate";
import { texts } from "@/texts";
import { Dialog } from "@/ui/Dialog";
import { toast } from "@/ui/feedback";
import { FailureAlert } from "@/ui/form/ApiFormView";
import { failureOf } from "@/ui/form/fieldErrors";
import { QueryView, TextSkeleton } from "@/ui/states";
import { Approvals } from "./Approvals";
import { ChangeList } from "./ChangeList";
import { namesOf } from "./changes";
import type { FlowDocument } from "./document";
import { draftDiffQuery, draftQuery, type EditedFlow, problemsQuery, publish, schedule } from "./queries";

const words = texts.editor.publish;

interface PublishProps {
  edited: EditedFlow;
  document: FlowDocument;
  /** Save the draft on the newest version, so that it may replace it. */
  onRebase: (liveVersion: number) => Promise<boolean>;
  onPublished: () => void;
  onClose: () => void;
}

/** A dialog that publishes the draft: its changes in words, its problems, approvals, a note, now or at a time. */
export function Publish({ edited, document, onRebase, onPublished, onClose }: PublishProps) {
  const { flow } = edited;
  const invalidate = useInvalidate();
  const draft = useQuery(draftQuery(flow.id));
  const diff = useQuery(draftDiffQuery(flow.id));
  const problems = useQuery({ ...problemsQuery(flow.id, "publish"), staleTime: 0, gcTime: 0, meta: undefined });
  const [note, setNote] = useState("");
  const [when, setWhen] = useState("now");
  const [time, setTime] = useState("");
  const [ignoring, setIgnoring] = useState(false);
  const [activating, setActivating] = useState(true);

  const send = useMutation({
    mutationFn: async () => {
      const common = { note: note.trim() || null, ignore_warnings: ignoring };
      const activate = flow.status !== "active" && activating;
      if (when === "later") {
        await schedule(flow.id, { ...common, activate, action: "publish", run_at: new Date(time).toISOString() });
        toast(words.scheduled);
        onClose();
        return;
      }
      const version = await publish(flow.id, { ...common, activate });
      toast(words.published(version.number));
      onPublished();
    },
    onSettled: () => void invalidate(["flows"], ["versions"], ["schedules"]),
  });
  const rebase = useMutation({
    mutationFn: (liveVersion: number) => onRebase(liveVersion),
    onSuccess: () => Promise.all([draft.refetch(), diff.refetch()]),
  });

  const errors = problems.data?.errors ?? [];
  const warnings = problems.data?.warnings ?? [];
  const names = namesOf(edited.document, document);
  const missing = draft.data ? draft.data.required_approvals - draft.data.approvals.length : 0;
  const isStale = draft.data !== undefined && draft.data.live_version > draft.data.base_version;
  const reason =
    errors.length > 0
      ? words.hasErrors
      : isStale
        ? words.isStale
        : missing > 0
          ? words.approvalsMissing(missing)
          : warnings.length > 0 && !ignoring
            ? words.warningsOpen
            : when === "later" && time === ""
              ? words.timeMissing
              : null;
  const ready = draft.data !== undefined && problems.data !== undefined && reason === null;
  const next = (draft.data?.live_version ?? edited.liveVersion) + 1;

  return (
    <Dialog title={words.title} size="lg" onClose={onClose}>
      <QueryView query={diff} skeleton={<TextSkeleton lines={6} />}>
        {(changes) => (
          <Stack gap="md">
            <Stack gap="xs" role="group" aria-label={words.changes}>
              <Title order={3}>{words.changes}</Title>
              <ChangeList changes={changes.changes} names={names} />
            </Stack>
            {isStale && draft.data && (
              <Alert color="yellow" title={words.staleTitle(draft.data.live_version)} icon={<IconAlertTriangle />}>
                <Stack gap="xs" align="flex-start">
                  <Text size="sm">{words.staleText}</Text>
                  <Button
                    size="xs"
                    variant="default"
                    loading={rebase.isPending}
                    onClick={() => draft.data && rebase.mutate(draft.data.live_version)}
                  >
                    {words.rebase}
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
            {draft.data && draft.data.required_approvals > 0 && <Approvals draft={draft.data} />}
            <Textarea
              label={words.note}
              description={words.noteHelp}
              maxLength={500}
              autosize
              minRows={2}
              value={note}
              onChange={(event) => setNote(event.target.value)}
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
            {send.isError && <FailureAlert failure={failureOf(send.error)} />}
            <Group justify="flex-end" gap="sm">
              {reason && (
                <Text size="sm" c="dimmed" flex={1}>
                  {reason}
                </Text>
              )}
              <Button variant="default" onClick={onClose}>
                {texts.ui.cancel}
              </Button>
              <Button disabled={!ready} loading={send.isPending} onClick={() => send.mutate()}>
                {when === "later" ? words.submitLater : words.submit(next)}
              </Button>
            </Group>
          </Stack>
        )}
      </QueryView>
    </Dialog>
  );
}

interface ProblemsProps {
  errors: readonly ProblemView[];
  warnings: readonly ProblemView[];
  names: ReadonlyMap<string, string>;
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
  const line = ({ field, message }: ProblemView) => {
    const [, , id, , ...member] = field.split("/");
    const place = id === undefined ? words.flow : (names.get(id) ?? texts.editor.changes.screen);
    return `${[place, ...member].join(", ").replaceAll("_", " ")} ${message}`;
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
