import { Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { ScheduleView } from "@/api/schema";
import { editorTexts } from "@/features/editor/texts";
import { useSchedules } from "@/features/flows/schedules";
import { scheduleTexts } from "@/features/flows/texts";
import { lazyDialog } from "@/ui/feedback/lazyDialog";
import { OPTIONAL_QUERY } from "@/ui/optionalQuery";
import { Time } from "@/ui/values/format";
import type { FlowDraftStore } from "../draft/draftStore";

const Confirm = lazyDialog(async () => (await import("@/ui/feedback/Confirm")).Confirm);

const words = editorTexts;

export interface ScheduledPublication {
  /** What the schedule does or has done, in words; null without one. */
  scheduled: ReactNode;
  /** The other schedules of the flow. */
  others: readonly ScheduleView[];
  /** Change the draft, after a question if the change would void a schedule. */
  edit: (change: () => void) => void;
  question: ReactNode;
}

/** Return the state of the last scheduled publication of a draft. A change of the draft voids a pending one. */
export function useScheduledPublication(store: FlowDraftStore): ScheduledPublication {
  const { stored, state, hasDraft } = store;
  const read = { revision: stored.etag, enabled: state.kind === "saved", ...OPTIONAL_QUERY };
  const schedules = useSchedules(stored.flow.id, read).data ?? [];
  const schedule = schedules.find((each) => each.action === "publish" && each.state !== "cancelled");
  const [asked, setAsked] = useState<string | null>(null);
  const [change, setChange] = useState<(() => void) | null>(null);
  const isPending = schedule?.state === "pending";
  const isValid = isPending && schedule.void_reason === null;
  const edit = (wanted: () => void) => {
    if (isValid && schedule.id !== asked) {
      setChange(() => wanted);
    } else {
      wanted();
    }
  };
  // A failure is of interest until the draft is changed again.
  const isFailure = schedule?.state === "failed" && (schedule.ended_at ?? "") > (stored.savedAt ?? "");
  const time = schedule && <Time value={schedule.run_at} absolute />;
  const scheduled =
    schedule && hasDraft && (isPending || isFailure) ? (
      <Text span inherit c={isValid ? undefined : "var(--mantine-color-error)"} role={isValid ? undefined : "alert"}>
        {isValid ? words.goesLive : isPending ? words.willFail : words.hasFailed} {time}
        {isValid ? words.unlessChanged : words.scheduleAgain}
      </Text>
    ) : null;
  const question = change && schedule && (
    <Confirm
      title={words.changeScheduled}
      text={words.changeScheduledText}
      action={words.changeAnyway}
      keep={scheduleTexts.keepSchedule}
      onConfirm={async () => {
        setAsked(schedule.id);
        change();
      }}
      onClose={() => setChange(null)}
    />
  );
  const others = schedules.filter((each) => each !== schedule || scheduled === null);
  return { scheduled, others, edit, question };
}
