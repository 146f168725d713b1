import { Confirm } from "@/ui/feedback/Confirm";
import { LiveFacts, type LiveFactsProps } from "./LiveFacts";

interface WhatUsersGetProps extends LiveFactsProps {
  title: string;
  action: string;
  /** Whether the question says everything that it needs; until then it cannot be confirmed. */
  isReady?: boolean;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

/** The question before an act that changes what devices get. Render it while it is open. */
export function WhatUsersGet({ title, action, isReady, onConfirm, onClose, ...facts }: WhatUsersGetProps) {
  return (
    <Confirm
      title={title}
      action={action}
      isDestructive={false}
      isReady={isReady}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <LiveFacts {...facts} />
    </Confirm>
  );
}
