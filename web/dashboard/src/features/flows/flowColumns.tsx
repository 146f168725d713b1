import { Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { projectQuery } from "@/api/projects";
import type { ListedFlowView } from "@/api/schema";
import { audienceInWords, isBehindDefault } from "@/features/audience/words";
import { AnchorLink } from "@/ui/links";
import type { Column } from "@/ui/table/DataTable";
import { formatFraction } from "@/ui/values/format";
import { StatusBadge } from "@/ui/values/StatusBadge";
import { FlowStatusBadge } from "./FlowState";
import { flowTexts } from "./texts";

export const FLOW_COLUMNS: readonly Column<ListedFlowView>[] = [
  {
    key: "name",
    header: flowTexts.name,
    render: (flow) => (
      <Group gap="xs" style={{ rowGap: 2 }}>
        <AnchorLink to="/projects/$projectId/flows/$flowId" params={{ projectId: flow.project_id, flowId: flow.id }}>
          {flow.name}
        </AnchorLink>
        {flow.has_draft && <StatusBadge tone="warning">{flowTexts.hasDraft}</StatusBadge>}
        {flow.is_default && <StatusBadge tone="accent">{flowTexts.isDefault}</StatusBadge>}
      </Group>
    ),
  },
  {
    key: "status",
    header: flowTexts.status,
    render: ({ status }) => <FlowStatusBadge status={status} />,
  },
  {
    key: "audience",
    header: flowTexts.audience,
    hideBelow: "md",
    render: (flow) => <Audience flow={flow} />,
  },
  {
    key: "share",
    header: flowTexts.share,
    numeric: true,
    hideBelow: "md",
    render: (flow) => <Share flow={flow} />,
  },
  {
    key: "completion",
    header: flowTexts.completion,
    numeric: true,
    hideBelow: "sm",
    render: (flow) =>
      flow.stats.total_views === 0 ? (
        <Text inherit c="dimmed">
          {flowTexts.noViews}
        </Text>
      ) : (
        formatFraction(flow.stats.completion_rate)
      ),
  },
];

/** The share of the devices that match; nothing where no device gets the flow, or all others do. */
function Share({ flow }: { flow: ListedFlowView }) {
  const project = useQuery(projectQuery(flow.project_id)).data?.data;
  const counts = flow.status === "active" && !flow.is_default;
  return counts && !isBehindDefault(flow, project?.settings.default_flow_id ?? null)
    ? formatFraction(flow.targeting.percentage / 100)
    : "–";
}

/** Who sees a flow, in words; a link to its conditions. */
function Audience({ flow }: { flow: ListedFlowView }) {
  const project = useQuery(projectQuery(flow.project_id)).data?.data;
  const words = audienceInWords(flow, project?.settings.default_flow_id ?? null);
  return (
    <AnchorLink
      to="/projects/$projectId/flows/$flowId/targeting"
      params={{ projectId: flow.project_id, flowId: flow.id }}
      c="var(--mantine-color-text)"
      lineClamp={1}
      miw={140}
      title={words}
    >
      {words}
    </AnchorLink>
  );
}
