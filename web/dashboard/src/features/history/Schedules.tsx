import { Button, Stack, Title } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useState } from "react";
import { ApiError } from "@/api/errors";
import type { ScheduleView } from "@/api/schema";
import { useInvalidate } from "@/api/useInvalidate";
import { cancelSchedule } from "@/features/editor/queries";
import { actionInWords, useSchedules } from "@/features/flows/schedules";
import { scheduleTexts } from "@/features/flows/texts";
import { texts } from "@/texts";
import { toast } from "@/ui/feedback/feedback";
import { lazyDialog } from "@/ui/feedback/lazyDialog";
import { ErrorState } from "@/ui/states";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { formatTime, Time } from "@/ui/values/format";
import { StatusBadge } from "@/ui/values/StatusBadge";
import { historyTexts } from "./texts";

const Confirm = lazyDialog(async () => (await import("@/ui/feedback/Confirm")).Confirm);

const words = historyTexts;
/** Below this width the state stands below the action. */
const NARROW = "(max-width: 48em)";

interface SchedulesProps {
  flowId: string;
  liveVersion: number | null;
  canEdit: boolean;
}

/** The schedules that wait or have failed; nothing where there is none. */
export function Schedules({ flowId, liveVersion, canEdit }: SchedulesProps) {
  const isNarrow = useMediaQuery(NARROW);
  const invalidate = useInvalidate();
  const schedules = useSchedules(flowId);
  const [cancelling, setCancelling] = useState<ScheduleView | null>(null);
  async function cancel({ id }: ScheduleView) {
    try {
      await cancelSchedule(flowId, id);
      toast(scheduleTexts.cancelled);
    } finally {
      await invalidate("schedule");
    }
  }
  const shown = schedules.data?.filter(({ state }) => state === "pending" || state === "failed") ?? [];
  if (schedules.isError) {
    // The versions below have the message about a flow that is gone.
    if (schedules.error instanceof ApiError && schedules.error.status === 404) {
      return null;
    }
    return <ErrorState error={schedules.error} onRetry={() => void schedules.refetch()} />;
  }
  if (shown.length === 0) {
    return null;
  }
  const stateOf = ({ state, error, action, version, void_reason }: ScheduleView) => {
    if (state !== "pending") {
      return <StatusBadge tone="bad">{words.failed(error?.replaceAll("_", " ") ?? "")}</StatusBadge>;
    }
    if (void_reason === "conflict" && action === "restore" && version === liveVersion) {
      return <StatusBadge>{words.isLiveNow}</StatusBadge>;
    }
    return void_reason ? (
      <StatusBadge tone="warning">{words.voidReasons[void_reason] ?? void_reason}</StatusBadge>
    ) : (
      <StatusBadge>{words.pending}</StatusBadge>
    );
  };
  const columns: readonly Column<ScheduleView>[] = [
    {
      key: "action",
      header: words.action,
      render: (schedule) => (
        <Stack gap={4} align="flex-start">
          {actionInWords(schedule)}
          {isNarrow && stateOf(schedule)}
        </Stack>
      ),
    },
    {
      key: "time",
      header: words.runAt,
      render: ({ run_at }) => <Time value={run_at} absolute style={{ whiteSpace: isNarrow ? undefined : "nowrap" }} />,
    },
    ...(isNarrow ? [] : [{ key: "state", header: words.state, render: stateOf }]),
    { key: "note", header: words.note, hideBelow: "sm", render: ({ note }) => note ?? "–" },
    {
      key: "cancel",
      header: texts.ui.rowActions,
      render: (schedule) =>
        canEdit && schedule.state === "pending" ? (
          <Button size="compact-sm" variant="default" aria-label={words.cancel} onClick={() => setCancelling(schedule)}>
            {texts.ui.cancel}
          </Button>
        ) : null,
    },
  ];
  return (
    <Stack gap="xs" mb="xl">
      <Title order={2} size="h3">
        {words.schedules}
      </Title>
      <DataTable label={words.schedules} columns={columns} rows={shown} rowKey={({ id }) => id} />
      {cancelling && (
        <Confirm
          title={words.cancelTitle}
          text={words.cancelText(actionInWords(cancelling), formatTime(new Date(cancelling.run_at)))}
          action={words.cancel}
          keep={scheduleTexts.keepSchedule}
          onConfirm={() => cancel(cancelling)}
          onClose={() => setCancelling(null)}
        />
      )}
    </Stack>
  );
}
