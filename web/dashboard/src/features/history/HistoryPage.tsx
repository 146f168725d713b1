import { Button, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconArrowBackUp, IconClock, IconPencil } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useCan, useProjectId } from "@/api/projects";
import { useInvalidate } from "@/api/useInvalidate";
import { flowQuery } from "@/features/analytics/queries";
import { FlowState } from "@/features/flows/FlowState";
import { memberNamesQuery } from "@/features/members/queries";
import { toastError } from "@/ui/feedback/feedback";
import { lazyDialog } from "@/ui/feedback/lazyDialog";
import { useUndo } from "@/ui/feedback/useUndo";
import { ListView } from "@/ui/table/ListView";
import { RowMenu } from "@/ui/table/RowMenu";
import { versionsQuery } from "./queries";
import { restoreIntoDraft } from "./restoreIntoDraft";
import { Schedules } from "./Schedules";
import { historyTexts } from "./texts";
import { versionColumns } from "./versionColumns";

const AddSchedule = lazyDialog(async () => (await import("./AddSchedule")).AddSchedule);
const RestoreQuestion = lazyDialog(async () => (await import("./RestoreQuestion")).RestoreQuestion);
const VersionDialog = lazyDialog(async () => (await import("./VersionDialog")).VersionDialog);

const route = getRouteApi("/projects/$projectId/flows/$flowId/history");
const words = historyTexts;

/** The versions of a flow with their changes and restoring, and its pending schedules. */
export function HistoryPage() {
  const { flowId } = route.useParams();
  const { page = 1 } = route.useSearch();
  const projectId = useProjectId();
  const canEdit = useCan("editor");
  const invalidate = useInvalidate();
  const [opened, setOpened] = useState<number | null>(null);
  const [scheduling, schedule] = useDisclosure();
  const versions = useQuery(versionsQuery(flowId, page));
  const members = useQuery({ ...memberNamesQuery(projectId), enabled: versions.isSuccess }).data;

  const flow = useQuery({ ...flowQuery(flowId), enabled: versions.isSuccess }).data;

  const offerUndo = useUndo("flow");
  const [asked, setAsked] = useState<number | null>(null);
  // The draft is a click away from what it was, so there is nothing to ask.
  const toDraft = useMutation({
    mutationFn: (number: number) => restoreIntoDraft(flowId, number),
    onSuccess: (undo, number) => offerUndo(words.restoredToDraft(number), undo),
    onError: (error) => toastError(error, words.restoreFailed),
    onSettled: () => invalidate("flow"),
  });

  const live = flow?.status === "active" ? flow.version : undefined;
  const columns = versionColumns(live ?? null, members, setOpened);
  const newest = page === 1 ? versions.data?.items[0]?.number : undefined;

  return (
    <>
      <ListView
        title={words.title}
        object={flow?.name}
        state={flow && <FlowState flow={flow} schedules={[]} />}
        help={flow && words.text(flow.name)}
        action={
          canEdit && (
            <Button leftSection={<IconClock size={18} />} onClick={schedule.open}>
              {words.addSchedule}
            </Button>
          )
        }
        above={<Schedules flowId={flowId} liveVersion={flow?.version ?? null} canEdit={canEdit} />}
        query={versions}
        columns={columns}
        rowKey={({ number }) => String(number)}
        menu={
          canEdit
            ? ({ number }) => (
                <RowMenu name={words.versionNumber(number)}>
                  <Menu.Item
                    leftSection={<IconArrowBackUp size={18} />}
                    disabled={number === newest}
                    onClick={() => setAsked(number)}
                  >
                    {words.restore}
                  </Menu.Item>
                  <Menu.Item leftSection={<IconPencil size={18} />} onClick={() => toDraft.mutate(number)}>
                    {words.restoreToDraft}
                  </Menu.Item>
                </RowMenu>
              )
            : undefined
        }
      />
      {scheduling && flow && <AddSchedule flow={flow} onClose={schedule.close} />}
      {asked !== null && flow && <RestoreQuestion flow={flow} number={asked} onClose={() => setAsked(null)} />}
      {opened !== null && <VersionDialog flowId={flowId} number={opened} onClose={() => setOpened(null)} />}
    </>
  );
}
