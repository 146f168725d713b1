import { Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { projectQuery } from "@/api/projects";
import { useInvalidate } from "@/api/useInvalidate";
import { WhatUsersGet } from "@/features/audience/WhatUsersGet";
import { whoGets } from "@/features/audience/words";
import { useUndo } from "@/ui/feedback/useUndo";
import { OPTIONAL_QUERY } from "@/ui/optionalQuery";
import { type ActedFlow, carryOut, type LiveAct } from "./liveActs";
import { flowsQuery } from "./queries";
import { flowTexts } from "./texts";

const words = flowTexts;

interface FlowQuestionProps {
  flow: ActedFlow;
  act: LiveAct;
  onClose: () => void;
}

/** The question before an act that changes which devices get a flow. */
export function FlowQuestion({ flow, act, onClose }: FlowQuestionProps) {
  const invalidate = useInvalidate();
  const client = useQueryClient();
  const offerUndo = useUndo("flow");
  const project = useQuery(projectQuery(flow.project_id)).data?.data;
  const defaultFlow = project?.settings.default_flow_id ?? null;
  // The list of flows has read it, as a rule.
  const others = useQuery({ ...flowsQuery(flow.project_id, {}), enabled: act === "default", ...OPTIONAL_QUERY }).data;
  const defaultName = others?.items.find(({ id }) => id === defaultFlow)?.name ?? words.presentDefault;
  async function confirm() {
    const { message, undo } = await carryOut(client, act, flow, defaultFlow);
    await invalidate("flow");
    offerUndo(message, undo);
  }
  return (
    <WhatUsersGet
      projectId={flow.project_id}
      {...questionOf(act, flow, defaultFlow, defaultName)}
      isReady={project !== undefined}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}

/** Return the words of the question, and the flow whose devices are counted. */
function questionOf(act: LiveAct, flow: ActedFlow, defaultFlow: string | null, defaultName: string) {
  const { id, name, is_default } = flow;
  const audience = whoGets({ ...flow, status: "active" }, defaultFlow);
  switch (act) {
    case "activate":
      return { title: words.activateTitle(name), action: words.activate, who: audience };
    case "deactivate":
    case "archive":
      return {
        title: act === "archive" ? words.archiveTitle(name) : words.deactivateTitle(name),
        action: act === "archive" ? words.archive : words.deactivate,
        who: words.noDeviceAnyMore(audience),
        flow: { id, name },
        children: <Text size="sm">{is_default ? words.defaultLost : words.nextFlow}</Text>,
      };
    case "default":
      return {
        title: words.makeDefaultTitle(name),
        action: words.makeDefault,
        who: whoGets({ ...flow, is_default: true }, defaultFlow),
        flow: defaultFlow === null ? undefined : { id: defaultFlow, name: defaultName },
        children: <Text size="sm">{words.makeDefaultText(defaultFlow === null ? null : defaultName)}</Text>,
      };
  }
}
