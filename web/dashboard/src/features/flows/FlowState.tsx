import { Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { projectQuery } from "@/api/projects";
import type { FlowStatus, ScheduleView } from "@/api/schema";
import { whoGets } from "@/features/audience/words";
import { AnchorLink } from "@/ui/links";
import { Time } from "@/ui/values/format";
import { StatusBadge, type Tone } from "@/ui/values/StatusBadge";
import type { ActedFlow } from "./liveActs";
import { actionInWords } from "./schedules";
import { flowTexts } from "./texts";

const TONES: Record<FlowStatus, Tone> = { draft: "neutral", active: "good", archived: "neutral" };

/** The status of a flow as a badge. */
export function FlowStatusBadge({ status }: { status: FlowStatus }) {
  return <StatusBadge tone={TONES[status]}>{flowTexts.statuses[status]}</StatusBadge>;
}

interface FlowStateProps {
  flow: ActedFlow;
  schedules: readonly ScheduleView[];
}

/** Whether devices get a flow, which ones, and what will change that by itself. */
export function FlowState({ flow, schedules }: FlowStateProps) {
  const project = useQuery(projectQuery(flow.project_id)).data?.data;
  const params = { projectId: flow.project_id, flowId: flow.id };
  const [next] = schedules
    .filter(({ state }) => state === "pending")
    .sort((first, second) => Date.parse(first.run_at) - Date.parse(second.run_at));
  return (
    <Group gap="xs" style={{ rowGap: 4 }}>
      <FlowStatusBadge status={flow.status} />
      {flow.is_default && <StatusBadge tone="accent">{flowTexts.isDefault}</StatusBadge>}
      {project && (
        <AnchorLink to="/projects/$projectId/flows/$flowId/targeting" params={params} c="dimmed" lineClamp={1}>
          {flow.status === "draft" ? flowTexts.noDeviceYet : whoGets(flow, project.settings.default_flow_id)}
        </AnchorLink>
      )}
      {next && (
        <AnchorLink to="/projects/$projectId/flows/$flowId/history" params={params} c="dimmed">
          <Text span inherit>
            {flowTexts.scheduled(actionInWords(next))} <Time value={next.run_at} absolute />
          </Text>
        </AnchorLink>
      )}
    </Group>
  );
}
