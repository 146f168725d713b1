import { Text, Title } from "@mantine/core";
import { useProjectId } from "@/api/projects";
import type { StatisticsView } from "@/api/schema";
import { AnchorLink } from "@/ui/links";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { formatCount, formatFraction } from "@/ui/values/format";
import { overviewTexts } from "./texts";

type Row = StatisticsView["flow_performance"][number];

const SHOWN = 8;

/** The flows of the period by their users. */
export function FlowPerformance({ statistics }: { statistics: StatisticsView | undefined }) {
  const projectId = useProjectId();
  const rows = statistics?.flow_performance;
  if (rows?.length === 0) {
    return null;
  }
  const columns: readonly Column<Row>[] = [
    {
      key: "flow",
      header: overviewTexts.flow,
      render: (row) =>
        row.flow_name === null ? (
          <Text inherit c="dimmed">
            {overviewTexts.deletedFlow}
          </Text>
        ) : (
          <AnchorLink to="/projects/$projectId/flows/$flowId" params={{ projectId, flowId: row.flow_id }}>
            {row.flow_name}
          </AnchorLink>
        ),
    },
    { key: "users", header: overviewTexts.users, numeric: true, render: (row) => formatCount(row.users) },
    {
      key: "completion",
      header: overviewTexts.completion,
      numeric: true,
      render: (row) => formatFraction(row.completion_rate),
    },
  ];
  return (
    <section>
      <Title order={2} mb="xs">
        {overviewTexts.flows}
      </Title>
      <DataTable
        label={overviewTexts.flows}
        columns={columns}
        rows={rows?.slice(0, SHOWN)}
        rowKey={(row) => row.flow_id}
      />
      {rows && rows.length > SHOWN && (
        <AnchorLink to="/projects/$projectId/flows" params={{ projectId }} size="sm" mt="xs" display="inline-block">
          {overviewTexts.allFlows}
        </AnchorLink>
      )}
    </section>
  );
}
