import { Menu } from "@mantine/core";
import {
  IconArchive,
  IconArrowBarToUp,
  IconArrowDown,
  IconArrowUp,
  IconCopy,
  IconPlayerPlay,
  IconStar,
  IconTrash,
  IconUsers,
} from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { FlowUpdateBody, ListedFlowView } from "@/api/schema";
import { useInvalidate } from "@/api/useInvalidate";
import { projectQuery } from "@/features/projects/queries";
import { audienceInWords } from "@/features/targeting/words";
import { texts } from "@/texts";
import { toast, toastError, toastWithUndo } from "@/ui/feedback";
import { lazyDialog } from "@/ui/lazyDialog";
import { MenuItemLink } from "@/ui/links";
import { RowMenu } from "@/ui/table/RowMenu";
import { deleteFlow, duplicateFlow, updateFlow } from "./queries";

const Confirm = lazyDialog(async () => (await import("@/ui/Confirm")).Confirm);

interface FlowMenuProps {
  flow: ListedFlowView;
  movable: boolean;
  place: number;
  places: number;
  onMove: (place: number) => void;
}

interface Change {
  flowId?: string;
  body: FlowUpdateBody;
  done: string;
  /** The change that takes it back. */
  undo?: FlowUpdateBody;
  /** The flow that the undo changes, if it is another one. */
  undoFlow?: string;
}

/** A change without a dialog reports its failure by a message. */
const FAILED = { onError: (error: Error) => toastError(error) };

/** The actions of an editor on a flow of the list. */
export function FlowMenu({ flow, movable, place, places, onMove }: FlowMenuProps) {
  const invalidate = useInvalidate();
  const refresh = () => invalidate("flow");
  const change = useMutation({
    mutationFn: (action: Change) => updateFlow(action.flowId ?? flow.id, action.body),
    onSuccess: (_, { done, undo, undoFlow }) =>
      undo
        ? toastWithUndo(done, () =>
            change.mutate({ flowId: undoFlow, body: undo, done: texts.flows.takenBack }, FAILED),
          )
        : toast(done),
    onSettled: refresh,
  });
  const formerDefault = useQuery(projectQuery(flow.project_id)).data?.data.settings.default_flow_id ?? null;
  const [asked, setAsked] = useState<"default" | "activate" | "delete" | null>(null);
  async function remove() {
    await deleteFlow(flow.id);
    toast(texts.flows.deleted(flow.name));
    await refresh();
  }
  const duplicate = useMutation({
    mutationFn: () => duplicateFlow(flow.id),
    onSuccess: (copy) => toast(texts.flows.duplicated(copy.name)),
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
              {texts.flows.moveTop}
            </Menu.Item>
            <Menu.Item leftSection={<IconArrowUp size={18} />} onClick={() => onMove(place - 1)}>
              {texts.flows.moveUp}
            </Menu.Item>
          </>
        )}
        {movable && place < places - 1 && (
          <Menu.Item leftSection={<IconArrowDown size={18} />} onClick={() => onMove(place + 1)}>
            {texts.flows.moveDown}
          </Menu.Item>
        )}
        {movable && places > 1 && <Menu.Divider />}
        <MenuItemLink
          leftSection={<IconUsers size={18} />}
          to="/projects/$projectId/flows/$flowId/targeting"
          params={{ projectId: flow.project_id, flowId: flow.id }}
        >
          {texts.flows.audience}
        </MenuItemLink>
        <Menu.Item leftSection={<IconCopy size={18} />} onClick={() => duplicate.mutate()}>
          {texts.flows.duplicate}
        </Menu.Item>
        {isActive && !flow.is_default && (
          <Menu.Item leftSection={<IconStar size={18} />} onClick={() => setAsked("default")}>
            {texts.flows.makeDefault}
          </Menu.Item>
        )}
        {!isActive && (
          <Menu.Item leftSection={<IconPlayerPlay size={18} />} onClick={() => setAsked("activate")}>
            {texts.flows.activate}
          </Menu.Item>
        )}
        {!isArchived && (
          <Menu.Item
            leftSection={<IconArchive size={18} />}
            onClick={() =>
              change.mutate(
                {
                  body: { status: "archived" },
                  done: texts.flows.archived(flow.name),
                  undo: { status: flow.status, is_default: flow.is_default },
                },
                FAILED,
              )
            }
          >
            {texts.flows.archive}
          </Menu.Item>
        )}
        {isArchived && (
          <Menu.Item leftSection={<IconTrash size={18} />} onClick={() => setAsked("delete")}>
            {texts.flows.delete}
          </Menu.Item>
        )}
      </RowMenu>
      {asked === "default" && (
        <Confirm
          title={texts.flows.makeDefaultTitle(flow.name)}
          text={texts.flows.makeDefaultText}
          action={texts.flows.makeDefault}
          isDestructive={false}
          onConfirm={() =>
            change.mutateAsync({
              body: { is_default: true },
              done: texts.flows.madeDefault(flow.name),
              undo: { is_default: formerDefault !== null },
              undoFlow: formerDefault ?? flow.id,
            })
          }
          onClose={() => setAsked(null)}
        />
      )}
      {asked === "activate" && (
        <Confirm
          title={texts.flows.activateTitle(flow.name)}
          text={texts.flows.activateText(audienceInWords({ ...flow, status: "active" }, formerDefault))}
          action={texts.flows.activate}
          isDestructive={false}
          onConfirm={() =>
            change.mutateAsync({
              body: { status: "active" },
              done: texts.flows.activated(flow.name),
              undo: { status: flow.status },
            })
          }
          onClose={() => setAsked(null)}
        />
      )}
      {asked === "delete" && (
        <Confirm
          title={texts.flows.deleteTitle(flow.name)}
          text={texts.flows.deleteText}
          phrase={flow.name}
          action={texts.flows.deleteAction}
          onConfirm={remove}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}
