import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { projectQuery } from "@/api/projects";
import type { FlowViewWithContent } from "@/api/schema";
import { useInvalidate } from "@/api/useInvalidate";
import { conditionTexts } from "@/features/audience/texts";
import { WhatUsersGet } from "@/features/audience/WhatUsersGet";
import { whoGets } from "@/features/audience/words";
import { namesOf } from "@/features/editor/logic/rules";
import { ChangeList } from "@/features/editor/publish/ChangeList";
import { restoreLive } from "@/features/editor/queries";
import { actionInWords, schedulesQuery } from "@/features/flows/schedules";
import { texts } from "@/texts";
import { useUndo } from "@/ui/feedback/useUndo";
import { QueryView, TextSkeleton } from "@/ui/states";
import { formatTime } from "@/ui/values/format";
import { liveTagQuery, versionQuery } from "./queries";
import { historyTexts } from "./texts";

const words = historyTexts;

interface RestoreQuestionProps {
  flow: FlowViewWithContent;
  number: number;
  onClose: () => void;
}

/** The question before a version is live again, with its difference to the live version. */
export function RestoreQuestion({ flow, number, onClose }: RestoreQuestionProps) {
  const { id, name, project_id } = flow;
  const invalidate = useInvalidate();
  const offerUndo = useUndo("flow");
  const live = useQuery(liveTagQuery(id, flow.version ?? 1));
  const version = useQuery(versionQuery(id, number, flow.version ?? undefined));
  const voided = useQuery(schedulesQuery(id)).data?.filter(
    ({ state, action, void_reason }) =>
      state === "pending" && (action === "publish" || action === "restore") && void_reason === null,
  );
  const defaultFlow = useQuery(projectQuery(project_id)).data?.data.settings.default_flow_id ?? null;
  const targeting = version.data?.version.document.targeting;
  const audience = targeting ? whoGets({ ...flow, targeting }, defaultFlow) : texts.ui.loading;
  async function confirm() {
    try {
      const { data, etag } = await restoreLive(id, number, live.data ?? null);
      // The numbers of versions have no gaps.
      offerUndo(words.restored(number), () => restoreLive(id, data.number - 1, etag), words.takenBack(data.number - 1));
    } finally {
      await invalidate("flow");
    }
  }
  return (
    <WhatUsersGet
      projectId={project_id}
      title={words.restoreTitle(number)}
      action={words.restore}
      who={flow.status === "active" ? audience : conditionTexts.notActive}
      flow={{ id, name }}
      isReady={version.isSuccess && live.isSuccess}
      onConfirm={confirm}
      onClose={onClose}
    >
      {voided?.map((schedule) => (
        <Text key={schedule.id}>{words.voids(actionInWords(schedule), formatTime(new Date(schedule.run_at)))}</Text>
      ))}
      <QueryView query={version} skeleton={<TextSkeleton lines={3} />}>
        {({ version: { document }, changes }) => <ChangeList changes={changes} names={namesOf(document)} />}
      </QueryView>
    </WhatUsersGet>
  );
}
