import { List } from "@mantine/core";
import type { ListedFlowView } from "@/api/schema";
import { WhatUsersGet } from "@/features/audience/WhatUsersGet";
import { whoGets } from "@/features/audience/words";
import { flowTexts } from "../texts";
import type { Move } from "./order";

const words = flowTexts;

interface OrderQuestionProps {
  projectId: string;
  move: Move<ListedFlowView>;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

/** The question before flows are tried in another order: the devices that match a flow on both sides get another one. */
export function OrderQuestion({ projectId, move: { flow, passed, isUp }, ...actions }: OrderQuestionProps) {
  return (
    <WhatUsersGet
      projectId={projectId}
      title={words.orderTitle(flow.name)}
      action={words.saveOrder}
      who={words.matchBoth(
        flow.name,
        passed.map(({ name }) => name),
      )}
      {...actions}
    >
      <List size="sm">
        <List.Item>{isUp ? words.getsInstead(flow.name) : words.getsOthers(flow.name)}</List.Item>
        {[flow, ...passed].map((each) => (
          // The conditions of a flow that is not the default: order matters for these alone.
          <List.Item key={each.id}>{words.isFor(each.name, whoGets(each, null))}</List.Item>
        ))}
      </List>
    </WhatUsersGet>
  );
}
