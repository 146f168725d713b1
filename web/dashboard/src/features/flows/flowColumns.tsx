import { Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ListedFlowView } from "@/api/schema";
import { audienceInWords, isBehindDefault } from "@/features/audience/words";
import { projectQuery } from "@/features/projects/queries";
import { texts } from "@/texts";
import { formatFraction } from "@/ui/format";
import { AnchorLink } from "@/ui/links";
import { StatusBadge } from "@/ui/StatusBadge";
import type { Column } from "@/ui/table/DataTable";
import { FlowStatusBadge } from "./FlowState";

export const FLOW_COLUMNS: readonly Column<ListedFlowView>[] = [
  {
    key: "name",
    header: texts.flows.name,
    render: (flow) => (
      <Group gap="xs" style={{ rowGap: 2 }}>
        <AnchorLink to="/projects/$projectId/flows/$flowId" params={{ projectId: flow.project_id, flowId: flow.id }}>
          {flow.name}
        </AnchorLink>
        {flow.has_draft && <StatusBadge tone="warning">{texts.flows.hasDraft}</StatusBadge>}
        {flow.is_default && <StatusBadge tone="accent">{texts.flows.isDefault}</StatusBadge>}
      </Group>
    ),
  },
  {
    key: "status",
    header: texts.flows.status,
    render: ({ status }) => <FlowStatusBadge status={status} />,
  },
  {
    key: "audience",
    header: texts.flows.audience,
    hideBelow: "md",
    render: (flow) => <Audience flow={flow} />,
  },
  {
    key: "share",
    header: texts.flows.share,
    numeric: true,
    hideBelow: "md",
    render: (flow) => <Share flow={flow} />,
  },
  {
    key: "completion",
    header: texts.flows.completion,
    numeric: true,
    hideBelow: "sm",
    render: (flow) =>
      flow.stats.total_views === 0 ? (
        <Text inherit c="dimmed">
          {texts.flows.noViews}
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
