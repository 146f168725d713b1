import { Menu } from "@mantine/core";
import {
  IconArchive,
  IconArrowBarToUp,
  IconArrowDown,
  IconArrowUp,
  IconCopy,
  IconPlayerPlay,
  IconStar,
  IconUsers,
} from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import type { FlowUpdateBody, ListedFlowView } from "@/api/schema";
import { useInvalidate } from "@/api/useInvalidate";
import { texts } from "@/texts";
import { toast, toastError, toastWithUndo } from "@/ui/feedback";
import { MenuItemLink } from "@/ui/links";
import { RowMenu } from "@/ui/table/RowMenu";
import { duplicateFlow, updateFlow } from "./queries";

interface FlowMenuProps {
  flow: ListedFlowView;
  movable: boolean;
  place: number;
  places: number;
  onMove: (place: number) => void;
}

interface Change {
  body: FlowUpdateBody;
  done: string;
  /** The change that takes it back. */
  undo?: FlowUpdateBody;
}

/** The actions of an editor on a flow of the list. */
export function FlowMenu({ flow, movable, place, places, onMove }: FlowMenuProps) {
  const invalidate = useInvalidate();
  const refresh = () => invalidate("flow");
  const change = useMutation({
    mutationFn: (action: Change) => updateFlow(flow.id, action.body),
    onSuccess: (_, { done, undo }) =>
      undo
        ? toastWithUndo(done, () => change.mutate({ body: undo, done: texts.flows.undone(flow.name) }))
        : toast(done),
    onError: (error) => toastError(error),
    onSettled: refresh,
  });
  const duplicate = useMutation({
    mutationFn: () => duplicateFlow(flow.id),
    onSuccess: (copy) => toast(texts.flows.duplicated(copy.name)),
    onError: (error) => toastError(error),
    onSettled: refresh,
  });
  const isActive = flow.status === "active";
  const isArchived = flow.status === "archived";

  return (
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
        <Menu.Item
          leftSection={<IconStar size={18} />}
          onClick={() => change.mutate({ body: { is_default: true }, done: texts.flows.madeDefault(flow.name) })}
        >
          {texts.flows.makeDefault}
        </Menu.Item>
      )}
      {!isActive && (
        <Menu.Item
          leftSection={<IconPlayerPlay size={18} />}
          onClick={() => change.mutate({ body: { status: "active" }, done: texts.flows.activated(flow.name) })}
        >
          {texts.flows.activate}
        </Menu.Item>
      )}
      {!isArchived && (
        <Menu.Item
          leftSection={<IconArchive size={18} />}
          onClick={() =>
            change.mutate({
              body: { status: "archived" },
              done: texts.flows.archived(flow.name),
              undo: { status: flow.status, is_default: flow.is_default },
            })
          }
        >
          {texts.flows.archive}
        </Menu.Item>
      )}
    </RowMenu>
  );
}
