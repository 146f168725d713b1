import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconClock } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useCan } from "@/api/projects";
import { flowQuery } from "@/features/analytics/queries";
import { FlowState } from "@/features/flows/FlowState";
import { lazyDialog } from "@/ui/feedback/lazyDialog";
import { versionsQuery } from "./queries";
import { restoreIntoDraft } from "./restoreIntoDraft";
import { Schedules } from "./Schedules";
import { historyTexts as words } from "./texts";
import { VersionList } from "./VersionList";

const AddSchedule = lazyDialog(async () => (await import("./AddSchedule")).AddSchedule);
const RestoreQuestion = lazyDialog(async () => (await import("./RestoreQuestion")).RestoreQuestion);
const VersionDialog = lazyDialog(async () => (await import("./VersionDialog")).VersionDialog);

const route = getRouteApi("/projects/$projectId/flows/$flowId/history");

/** The versions of a flow with their changes and restoring, and its pending schedules. */
export function HistoryPage() {
  const { flowId } = route.useParams();
  const { page = 1 } = route.useSearch();
  const canEdit = useCan("editor");
  const [scheduling, schedule] = useDisclosure();
  const versions = useQuery(versionsQuery(flowId, page));
  const flow = useQuery({ ...flowQuery(flowId), enabled: versions.isSuccess }).data;
  return (
    <>
      <VersionList
        of="flow"
        versions={versions}
        live={flow?.status === "active" ? (flow.version ?? null) : null}
        newest={page === 1 ? versions.data?.items[0]?.number : undefined}
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
        restoreToDraft={(number) => restoreIntoDraft(flowId, number)}
        restoring={(number, close) => flow && <RestoreQuestion flow={flow} number={number} onClose={close} />}
        showing={(number, close) => <VersionDialog flowId={flowId} number={number} onClose={close} />}
      />
      {scheduling && flow && <AddSchedule flow={flow} onClose={schedule.close} />}
    </>
  );
}
