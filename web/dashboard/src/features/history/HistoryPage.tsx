import { Anchor, Button, Menu, Stack, Text, Title } from "@mantine/core";
import { IconArrowBackUp, IconPencil } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import type { RestoreTarget, ScheduleView, VersionView } from "@/api/schema";
import { memberNamesQuery } from "@/features/members/queries";
import { useCan, useProjectId } from "@/features/projects/queries";
import { texts } from "@/texts";
import { toast, toastError } from "@/ui/feedback";
import { Time } from "@/ui/format";
import { lazyDialog } from "@/ui/lazyDialog";
import { ButtonLink } from "@/ui/links";
import { PageHeader } from "@/ui/PageHeader";
import { StatusBadge } from "@/ui/StatusBadge";
import { ErrorState } from "@/ui/states";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { RowMenu } from "@/ui/table/RowMenu";
import { cancelSchedule, restore, schedulesQuery, versionsQuery } from "./queries";

const VersionDialog = lazyDialog(async () => (await import("./VersionDialog")).VersionDialog);

const route = getRouteApi("/projects/$projectId/flows/$flowId/history");
const words = texts.history;

/** The versions of a flow with their changes and restoring, and its pending schedules. */
export function HistoryPage() {
  const { flowId } = route.useParams();
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const projectId = useProjectId();
  const canEdit = useCan("editor");
  const queryClient = useQueryClient();
  const [opened, setOpened] = useState<number | null>(null);
  const versions = useQuery(versionsQuery(flowId, page));
  const members = useQuery({ ...memberNamesQuery(projectId), enabled: versions.isSuccess }).data;

  const restoring = useMutation({
    mutationFn: ({ number, to }: { number: number; to: RestoreTarget }) => restore(flowId, number, { to }),
    onSuccess: (_, { number, to }) => toast(to === "live" ? words.restored(number) : words.restoredToDraft(number)),
    onError: (error) => toastError(error, words.restoreFailed),
    onSettled: () =>
      Promise.all(
        ["versions", "flows", "edited-flow"].map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
      ),
  });

  const columns: readonly Column<VersionView>[] = [
    {
      key: "number",
      header: words.version,
      render: (version) => (
        <Anchor component="button" type="button" inherit onClick={() => setOpened(version.number)}>
          {words.versionNumber(version.number)}
        </Anchor>
      ),
    },
    { key: "origin", header: words.origin, render: (version) => originOf(version) },
    {
      key: "note",
      header: words.note,
      hideBelow: "sm",
      render: ({ note }) => (
        <Text inherit lineClamp={1} title={note ?? undefined}>
          {note ?? "–"}
        </Text>
      ),
    },
    {
      key: "by",
      header: words.by,
      hideBelow: "sm",
      render: ({ created_by }) =>
        created_by === null ? words.service : (members?.get(created_by) ?? words.formerMember),
    },
    { key: "at", header: words.at, render: ({ created_at }) => <Time value={created_at} /> },
  ];
  const newest = page === 1 ? versions.data?.items[0]?.number : undefined;

  return (
    <>
      <PageHeader
        title={words.title}
        text={words.text}
        actions={
          <ButtonLink variant="default" to="/projects/$projectId/flows/$flowId" params={{ projectId, flowId }}>
            {words.toEditor}
          </ButtonLink>
        }
      />
      <Stack gap="xl">
        <Schedules flowId={flowId} canEdit={canEdit} />
        {versions.isError ? (
          <ErrorState error={versions.error} onRetry={() => void versions.refetch()} />
        ) : (
          <DataTable
            label={words.title}
            columns={columns}
            rows={versions.data?.items}
            rowKey={({ number }) => String(number)}
            pagination={versions.data?.pagination}
            onPage={(next) => void navigate({ search: { page: next } })}
            menu={
              canEdit
                ? ({ number }) => (
                    <RowMenu name={words.versionNumber(number)}>
                      <Menu.Item
                        leftSection={<IconArrowBackUp size={18} />}
                        disabled={number === newest}
                        onClick={() => restoring.mutate({ number, to: "live" })}
                      >
                        {words.restore}
                      </Menu.Item>
                      <Menu.Item
                        leftSection={<IconPencil size={18} />}
                        onClick={() => restoring.mutate({ number, to: "draft" })}
                      >
                        {words.restoreToDraft}
                      </Menu.Item>
                    </RowMenu>
                  )
                : undefined
            }
          />
        )}
      </Stack>
      {opened !== null && <VersionDialog flowId={flowId} number={opened} onClose={() => setOpened(null)} />}
    </>
  );
}

function originOf({ origin, restored_from }: VersionView): string {
  return origin === "restored" && restored_from !== null
    ? words.restoredFrom(restored_from)
    : (words.origins[origin] ?? origin);
}

/** The schedules that wait; nothing where there is none. */
function Schedules({ flowId, canEdit }: { flowId: string; canEdit: boolean }) {
  const queryClient = useQueryClient();
  const schedules = useQuery(schedulesQuery(flowId));
  const cancel = useMutation({
    mutationFn: (id: string) => cancelSchedule(flowId, id),
    onSuccess: () => toast(words.cancelled),
    onError: (error) => toastError(error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["schedules", flowId] }),
  });
  const shown = schedules.data?.items.filter(({ state }) => state === "pending" || state === "failed") ?? [];
  if (schedules.isError) {
    return <ErrorState error={schedules.error} onRetry={() => void schedules.refetch()} />;
  }
  if (shown.length === 0) {
    return null;
  }
  const columns: readonly Column<ScheduleView>[] = [
    { key: "action", header: words.action, render: ({ action }) => words.actions[action] ?? action },
    { key: "time", header: words.runAt, render: ({ run_at }) => <Time value={run_at} /> },
    {
      key: "state",
      header: words.state,
      render: ({ state, error }) =>
        state === "pending" ? (
          <StatusBadge>{words.pending}</StatusBadge>
        ) : (
          <StatusBadge tone="bad">{words.failed(error?.replaceAll("_", " ") ?? "")}</StatusBadge>
        ),
    },
    { key: "note", header: words.note, hideBelow: "sm", render: ({ note }) => note ?? "–" },
    {
      key: "cancel",
      header: texts.ui.rowActions,
      render: ({ id, state }) =>
        canEdit && state === "pending" ? (
          <Button size="compact-sm" variant="default" onClick={() => cancel.mutate(id)}>
            {words.cancel}
          </Button>
        ) : null,
    },
  ];
  return (
    <Stack gap="xs">
      <Title order={2} size="h3">
        {words.schedules}
      </Title>
      <DataTable label={words.schedules} columns={columns} rows={shown} rowKey={({ id }) => id} />
    </Stack>
  );
}
