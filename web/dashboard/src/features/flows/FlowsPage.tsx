import { Button, Group, Select } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPlus, IconRoute, IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useCan, useProjectId } from "@/api/projects";
import type { FlowStatus } from "@/api/schema";
import { texts } from "@/texts";
import { lazyDialog } from "@/ui/lazyDialog";
import { PageHeader } from "@/ui/PageHeader";
import { EmptyState, ErrorState } from "@/ui/states";
import { DataTable } from "@/ui/table/DataTable";
import { PageButtons } from "@/ui/table/PageButtons";
import { SearchInput } from "@/ui/table/SearchInput";
import { FLOW_COLUMNS } from "./flowColumns";
import { type FlowsSearch, flowsQuery } from "./queries";
import { SortableFlows } from "./SortableFlows";
import { flowTexts } from "./texts";

const CreateFlow = lazyDialog(async () => (await import("./CreateFlow")).CreateFlow);

const route = getRouteApi("/projects/$projectId/flows");

const STATUSES: readonly FlowStatus[] = ["active", "draft", "archived"];
const STATUS_OPTIONS = STATUSES.map((status) => ({ value: status, label: flowTexts.statuses[status] }));

/** The flows of a project in the order of their evaluation. */
export function FlowsPage() {
  const projectId = useProjectId();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const canEdit = useCan("editor");
  const [creating, { open, close }] = useDisclosure();
  const flows = useQuery(flowsQuery(projectId, search));

  const filter = (changes: FlowsSearch) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...changes }), replace: true });
  const isFiltered = search.search !== undefined || search.status !== undefined;
  const isEmpty = flows.data?.pagination.total === 0;
  const hasNone = isEmpty && !isFiltered;
  const createButton = canEdit && (
    <Button leftSection={<IconPlus size={18} />} onClick={open}>
      {flowTexts.create}
    </Button>
  );

  return (
    <>
      <PageHeader
        title={flowTexts.title}
        text={hasNone ? undefined : canEdit ? flowTexts.orderHelpEditor : flowTexts.orderHelp}
        actions={hasNone ? null : createButton}
      />
      {creating && <CreateFlow onClose={close} />}
      {!hasNone && (
        <Group mb="md" gap="xs">
          <SearchInput label={flowTexts.search} value={search.search} onSearch={(words) => filter({ search: words })} />
          <Select
            aria-label={flowTexts.status}
            placeholder={flowTexts.anyStatus}
            clearable
            data={STATUS_OPTIONS}
            value={search.status ?? null}
            onChange={(status) => filter({ status: (status as FlowStatus | null) ?? undefined })}
            w={{ base: "100%", sm: 160 }}
          />
        </Group>
      )}
      {flows.isError ? (
        <ErrorState error={flows.error} onRetry={() => void flows.refetch()} />
      ) : hasNone ? (
        <EmptyState
          icon={<IconRoute size={32} stroke={1.5} />}
          title={flowTexts.emptyTitle}
          text={flowTexts.emptyText}
          action={createButton}
        />
      ) : isEmpty ? (
        <EmptyState icon={<IconSearch size={32} stroke={1.5} />} title={texts.ui.noMatch} text={texts.ui.noMatchText} />
      ) : flows.data && canEdit ? (
        <SortableFlows
          page={flows.data}
          queryKey={flowsQuery(projectId, search).queryKey}
          sortable={!isFiltered && !flows.isPlaceholderData}
        />
      ) : (
        <DataTable label={flowTexts.title} columns={FLOW_COLUMNS} rows={flows.data?.items} rowKey={(flow) => flow.id} />
      )}
      {flows.data && <PageButtons pagination={flows.data.pagination} onPage={(page) => filter({ page })} />}
    </>
  );
}
