import { Checkbox, Select, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { ApiError } from "@/api/errors";
import { projectQuery } from "@/api/projects";
import type { FlowViewWithContent, ScheduleBody } from "@/api/schema";
import { useInvalidate } from "@/api/useInvalidate";
import { LiveFacts } from "@/features/audience/LiveFacts";
import { audienceTexts, conditionTexts } from "@/features/audience/texts";
import { whoGets } from "@/features/audience/words";
import { cancelSchedule, schedule } from "@/features/editor/queries";
import { editorTexts } from "@/features/editor/texts";
import { scheduleTexts } from "@/features/flows/texts";
import { Dialog } from "@/ui/feedback/Dialog";
import { useUndo } from "@/ui/feedback/useUndo";
import { ApiFormView } from "@/ui/form/ApiFormView";
import { useApiForm } from "@/ui/form/useApiForm";
import { newestVersionsQuery } from "./queries";
import { historyTexts } from "./texts";

const words = historyTexts;
type Action = ScheduleBody["action"];
const ACTIONS: readonly Action[] = ["activate", "archive", "restore", "publish"];
const ACTION_OPTIONS = ACTIONS.map((value) => ({ value, label: scheduleTexts.actions[value] ?? value }));
/** The actions that may make the status of the flow active too. */
const CAN_ACTIVATE: ReadonlySet<Action> = new Set(["publish", "restore"]);
const MAX_NOTE = 500;

const schema = z
  .object({ action: z.string(), version: z.nullable(z.string()), time: z.string(), note: z.string() })
  .check(
    z.refine(({ action, version }) => action !== "restore" || version !== null, {
      path: ["version"],
      error: words.versionMissing,
    }),
    z.refine(({ time }) => time !== "", { path: ["time"], error: editorTexts.publish.timeMissing }),
  );

/** A dialog that schedules a change of a flow: its status, a restoration, the publication of its draft. */
export function AddSchedule({ flow, onClose }: { flow: FlowViewWithContent; onClose: () => void }) {
  const flowId = flow.id;
  const invalidate = useInvalidate();
  const offerUndo = useUndo("schedule");
  const versions = useQuery(newestVersionsQuery(flowId)).data ?? [];
  const form = useApiForm({
    name: `schedule:${flowId}`,
    initialValues: {
      action: "activate" as Action,
      version: null as string | null,
      activating: false,
      time: "",
      note: "",
      ignoring: false,
    },
    schema,
    fieldNames: { run_at: "time" },
    submit: async ({ action, version, activating, time, note, ignoring }) => {
      const { id } = await schedule(flowId, {
        action,
        ...(action === "restore" ? { version: Number(version) } : {}),
        activate: activating && CAN_ACTIVATE.has(action),
        run_at: new Date(time).toISOString(),
        note: note.trim() || null,
        ignore_warnings: ignoring,
      });
      offerUndo(words.scheduled, () => cancelSchedule(flowId, id), scheduleTexts.cancelled);
      await invalidate("schedule");
      onClose();
    },
  });
  const { action, time, activating } = form.fields.values;
  const defaultFlow = useQuery(projectQuery(flow.project_id)).data?.data.settings.default_flow_id ?? null;
  const becomesLive = flow.status === "active" || activating ? audienceTexts.ofDocument : conditionTexts.notActive;
  const who = {
    activate: whoGets({ ...flow, status: "active" }, defaultFlow),
    archive: conditionTexts.noDevice,
    // The document that will be live has conditions of its own.
    restore: becomesLive,
    publish: becomesLive,
  }[action];
  const error = form.failure?.error;
  // A conflict with details is one of warnings.
  const hasWarnings = error instanceof ApiError && error.status === 409 && error.details.length > 0;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Dialog title={words.addSchedule} onClose={onClose}>
      <ApiFormView form={form} submitLabel={words.submitSchedule} onCancel={onClose}>
        <Select
          data-autofocus
          label={words.action}
          data={ACTION_OPTIONS}
          allowDeselect={false}
          {...form.field("action", words.actionHelp[action])}
        />
        {action === "restore" && (
          <Select
            label={words.version}
            searchable
            data={versions.map(({ number }) => ({ value: String(number), label: words.versionNumber(number) }))}
            {...form.field("version")}
          />
        )}
        {CAN_ACTIVATE.has(action) && (
          <Checkbox label={words.activateToo} {...form.fields.getInputProps("activating", { type: "checkbox" })} />
        )}
        <TextInput type="datetime-local" label={words.runAt} {...form.field("time", words.timeHelp(zone))} />
        <Textarea
          label={words.note}
          autosize
          minRows={2}
          maxLength={MAX_NOTE}
          {...form.field("note", editorTexts.publish.noteHelp)}
        />
        <LiveFacts projectId={flow.project_id} who={who} flow={flow} at={time} />
        {(hasWarnings || form.fields.values.ignoring) && (
          <Checkbox label={words.ignoreWarnings} {...form.fields.getInputProps("ignoring", { type: "checkbox" })} />
        )}
      </ApiFormView>
    </Dialog>
  );
}
