import { Button, Switch } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus, IconRoute } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useCan, useProjectId } from "@/api/projects";
import type { FlowStatus } from "@/api/schema";
import { lazyDialog } from "@/ui/feedback/lazyDialog";
import { ListView, useFilter } from "@/ui/table/ListView";
import { FLOW_COLUMNS } from "./flowColumns";
import { shownFlows } from "./order/order";
import { SortableFlows } from "./order/SortableFlows";
import { flowsQuery } from "./queries";
import { flowTexts } from "./texts";

const CreateFlow = lazyDialog(async () => (await import("./CreateFlow")).CreateFlow);

const route = getRouteApi("/projects/$projectId/flows");

const STATUSES: readonly FlowStatus[] = ["active", "draft", "archived"];
const STATUS_OPTIONS = STATUSES.map((status) => ({ value: status, label: flowTexts.statuses[status] }));

/** The flows of a project in the order of their evaluation. */
export function FlowsPage() {
  const projectId = useProjectId();
  const search = route.useSearch();
  const canEdit = useCan("editor");
  const [creating, { open, close }] = useDisclosure();
  const { archived, ...filters } = search;
  const isFiltered = filters.search !== undefined || filters.status !== undefined;
  const hides = !isFiltered && archived === undefined;
  const flows = useQuery({
    ...flowsQuery(projectId, filters),
    select: (page) => ({ ...page, items: shownFlows(page.items, hides) }),
  });
  const all = useQuery({ ...flowsQuery(projectId, filters), select: ({ items }) => items });
  const hasArchived = !isFiltered && all.data?.some(({ status }) => status === "archived");
  const filter = useFilter();
  return (
    <>
      {creating && <CreateFlow onClose={close} />}
      <ListView
        title={flowTexts.title}
        help={canEdit ? flowTexts.orderHelpEditor : flowTexts.orderHelp}
        action={
          canEdit && (
            <Button leftSection={<IconPlus size={18} />} onClick={open}>
              {flowTexts.create}
            </Button>
          )
        }
        query={flows}
        columns={FLOW_COLUMNS}
        rowKey={({ id }) => id}
        searchLabel={flowTexts.search}
        filters={[{ name: "status", label: flowTexts.status, any: flowTexts.anyStatus, options: STATUS_OPTIONS }]}
        empty={{
          icon: <IconRoute size={32} stroke={1.5} />,
          title: flowTexts.emptyTitle,
          text: flowTexts.emptyText,
        }}
      >
        {canEdit
          ? (items) => (
              <SortableFlows
                flows={items}
                queryKey={flowsQuery(projectId, filters).queryKey}
                sortable={!isFiltered && !flows.isPlaceholderData}
              />
            )
          : undefined}
      </ListView>
      {hasArchived && (
        <Switch
          mt="md"
          label={flowTexts.showArchived}
          checked={!hides}
          onChange={() => filter({ archived: hides ? "shown" : undefined })}
        />
      )}
    </>
  );
}
