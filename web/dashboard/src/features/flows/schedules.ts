import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "@/api/client";
import { keys } from "@/api/keys";
import { pageOf } from "@/api/responses";
import type { ScheduleView } from "@/api/schema";
import { useInvalidate } from "@/api/useInvalidate";
import type { OPTIONAL_QUERY } from "@/ui/optionalQuery";
import { scheduleTexts } from "./texts";

/** The bounds of the time until pending schedules are read again. */
const MIN_WAIT_MILLISECONDS = 2_000;
const MAX_WAIT_MILLISECONDS = 60_000;

/** Return the milliseconds until schedules are read again, when the next one is due; false if none is pending. */
export function untilNextRun(schedules: readonly ScheduleView[], now: number): number | false {
  const times = schedules.filter(({ state }) => state === "pending").map(({ run_at }) => Date.parse(run_at));
  const next = Math.min(...times) - now;
  return times.length > 0 && Math.min(Math.max(next, MIN_WAIT_MILLISECONDS), MAX_WAIT_MILLISECONDS);
}

/**
 * The schedules of a flow, the newest first. They are read again when one is due. `revision` changes with each save of
 * the draft, which may void a schedule.
 */
export function schedulesQuery(flowId: string, revision: string | null = null) {
  return queryOptions({
    queryKey: [...keys.flows.schedules, flowId, revision],
    queryFn: async ({ signal }) => {
      const params = { path: { flow_id: flowId }, query: { limit: 100 } };
      return (await pageOf(api.GET("/api/flows/{flow_id}/schedules", { params, signal }))).items;
    },
    refetchInterval: ({ state }) => untilNextRun(state.data ?? [], Date.now()),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** Read the schedules of a flow, and the flow again after one has run. */
export function useSchedules(
  flowId: string,
  { revision, ...options }: { revision?: string | null; enabled?: boolean; meta?: typeof OPTIONAL_QUERY.meta } = {},
) {
  const invalidate = useInvalidate();
  const schedules = useQuery({ ...schedulesQuery(flowId, revision), ...options });
  const pending = schedules.data?.filter(({ state }) => state === "pending").length ?? 0;
  const [before, setBefore] = useState(pending);
  useEffect(() => {
    setBefore(pending);
    if (pending < before) {
      void invalidate("flow");
    }
  }, [pending, before, invalidate]);
  return schedules;
}

/** Return the action of a schedule in words. */
export function actionInWords({ action, version, activate }: ScheduleView): string {
  const text = version === null ? (scheduleTexts.actions[action] ?? action) : scheduleTexts.restoreOf(version);
  return activate ? scheduleTexts.andActivate(text) : text;
}
