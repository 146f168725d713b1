import { Menu } from "@mantine/core";
import {
  IconArchive,
  IconArrowBarToUp,
  IconArrowDown,
  IconArrowUp,
  IconCopy,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconStar,
  IconTrash,
  IconUsers,
} from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ListedFlowView } from "@/api/schema";
import { useInvalidate } from "@/api/useInvalidate";
import { toast, toastError } from "@/ui/feedback/feedback";
import { lazyDialog } from "@/ui/feedback/lazyDialog";
import { useUndo } from "@/ui/feedback/useUndo";
import { MenuItemLink } from "@/ui/links";
import { RowMenu } from "@/ui/table/RowMenu";
import { carryOut, type LiveAct } from "./liveActs";
import { deleteFlow, duplicateFlow } from "./queries";
import { flowTexts } from "./texts";

const Confirm = lazyDialog(async () => (await import("@/ui/feedback/Confirm")).Confirm);
const RenameFlow = lazyDialog(async () => (await import("./RenameFlow")).RenameFlow);
const FlowQuestion = lazyDialog(async () => (await import("./FlowQuestion")).FlowQuestion);

interface FlowMenuProps {
  flow: ListedFlowView;
  movable: boolean;
  place: number;
  places: number;
  onMove: (place: number) => void;
}

/** The actions of an editor on a flow of the list. */
export function FlowMenu({ flow, movable, place, places, onMove }: FlowMenuProps) {
  const invalidate = useInvalidate();
  const refresh = () => invalidate("flow");
  const queryClient = useQueryClient();
  const offerUndo = useUndo("flow");
  const [asked, setAsked] = useState<LiveAct | "delete" | "rename" | null>(null);
  // No device gets the flow, so there is nothing to ask.
  const archive = useMutation({
    mutationFn: () => carryOut(queryClient, "archive", flow, null),
    onSuccess: ({ message, undo }) => offerUndo(message, undo),
    onError: (error) => toastError(error),
    onSettled: refresh,
  });
  async function remove() {
    await deleteFlow(flow.id);
    toast(flowTexts.deleted(flow.name));
    await refresh();
  }
  const duplicate = useMutation({
    mutationFn: () => duplicateFlow(flow.id),
    onSuccess: (copy) => toast(flowTexts.duplicated(copy.name)),
    onError: (error) => toastError(error),
    onSettled: refresh,
  });
  const isActive = flow.status === "active";
  const isArchived = flow.status === "archived";

  return (
    <>
      {" "}
      <RowMenu name={flow.name}>
        {movable && place > 0 && (
          <>
            <Menu.Item leftSection={<IconArrowBarToUp size={18} />} onClick={() => onMove(0)}>
              {flowTexts.moveTop}
            </Menu.Item>
            <Menu.Item leftSection={<IconArrowUp size={18} />} onClick={() => onMove(place - 1)}>
              {flowTexts.moveUp}
            </Menu.Item>
          </>
        )}
        {movable && place < places - 1 && (
          <Menu.Item leftSection={<IconArrowDown size={18} />} onClick={() => onMove(place + 1)}>
            {flowTexts.moveDown}
          </Menu.Item>
        )}
        {movable && places > 1 && <Menu.Divider />}
        <MenuItemLink
          leftSection={<IconUsers size={18} />}
          to="/projects/$projectId/flows/$flowId/targeting"
          params={{ projectId: flow.project_id, flowId: flow.id }}
        >
          {flowTexts.audience}
        </MenuItemLink>
        <Menu.Item leftSection={<IconPencil size={18} />} onClick={() => setAsked("rename")}>
          {flowTexts.rename}
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy size={18} />} onClick={() => duplicate.mutate()}>
          {flowTexts.duplicate}
        </Menu.Item>
        {isActive && !flow.is_default && (
          <Menu.Item leftSection={<IconStar size={18} />} onClick={() => setAsked("default")}>
            {flowTexts.makeDefault}
          </Menu.Item>
        )}
        {!isActive && (
          <Menu.Item leftSection={<IconPlayerPlay size={18} />} onClick={() => setAsked("activate")}>
            {flowTexts.activate}
          </Menu.Item>
        )}
        {isActive && (
          <Menu.Item leftSection={<IconPlayerPause size={18} />} onClick={() => setAsked("deactivate")}>
            {flowTexts.deactivate}
          </Menu.Item>
        )}
        {!isArchived && (
          <Menu.Item
            leftSection={<IconArchive size={18} />}
            onClick={() => (isActive ? setAsked("archive") : archive.mutate())}
          >
            {flowTexts.archive}
          </Menu.Item>
        )}
        {isArchived && (
          <Menu.Item leftSection={<IconTrash size={18} />} onClick={() => setAsked("delete")}>
            {flowTexts.delete}
          </Menu.Item>
        )}
      </RowMenu>
      {asked === "rename" && <RenameFlow flow={flow} onClose={() => setAsked(null)} />}
      {asked !== null && asked !== "delete" && asked !== "rename" && (
        <FlowQuestion flow={flow} act={asked} onClose={() => setAsked(null)} />
      )}
      {asked === "delete" && (
        <Confirm
          title={flowTexts.deleteTitle(flow.name)}
          text={flowTexts.deleteText}
          phrase={flow.name}
          action={flowTexts.deleteAction}
          onConfirm={remove}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}
