import { Button, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDeviceMobile, IconPlus, IconTrash } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCan, useProjectId } from "@/api/projects";
import { flowsQuery } from "@/features/flows/queries";
import { changedSince, toastError, toastWithUndo } from "@/ui/feedback/feedback";
import { lazyDialog } from "@/ui/feedback/lazyDialog";
import { AnchorLink } from "@/ui/links";
import { OPTIONAL_QUERY } from "@/ui/optionalQuery";
import type { Column } from "@/ui/table/DataTable";
import { ListView } from "@/ui/table/ListView";
import { RowMenu } from "@/ui/table/RowMenu";
import { StatusBadge } from "@/ui/values/StatusBadge";
import {
  type DeviceMap,
  devicesOf,
  type QaDevice,
  qaDevicesQuery,
  replaceDevices,
  withDevice,
  withoutDevice,
} from "./queries";
import { qaDeviceTexts } from "./texts";

const AddQaDevice = lazyDialog(async () => (await import("./AddQaDevice")).AddQaDevice);

/** The devices of testers, each with the flow that it always gets. */
export function QaDevicesPage() {
  const projectId = useProjectId();
  const canEdit = useCan("editor");
  const [adding, { open, close }] = useDisclosure();
  const devices = useQuery({
    ...qaDevicesQuery(projectId),
    select: ({ data }) => ({ items: devicesOf(data.devices) }),
  });
  const flows = useQuery({ ...flowsQuery(projectId, {}), ...OPTIONAL_QUERY }).data?.items ?? [];
  const remove = useRemoveDevice(projectId);
  const names = new Map(flows.map(({ id, name }) => [id, name]));
  const columns: readonly Column<QaDevice>[] = [
    { key: "device", header: qaDeviceTexts.device, render: ({ id }) => <code>{id}</code> },
    {
      key: "flow",
      header: qaDeviceTexts.flow,
      render: ({ flowId }) => (
        <AnchorLink to="/projects/$projectId/flows/$flowId" params={{ projectId, flowId }}>
          {names.get(flowId) ?? flowId}
        </AnchorLink>
      ),
    },
    {
      key: "version",
      header: qaDeviceTexts.version,
      hideBelow: "sm",
      render: ({ draft }) =>
        draft ? (
          <StatusBadge tone="accent">{qaDeviceTexts.getsDraft}</StatusBadge>
        ) : (
          <StatusBadge>{qaDeviceTexts.getsLive}</StatusBadge>
        ),
    },
  ];

  return (
    <>
      {adding && <AddQaDevice onClose={close} />}
      <ListView
        title={qaDeviceTexts.title}
        help={qaDeviceTexts.help}
        action={
          canEdit && (
            <Button leftSection={<IconPlus size={18} />} onClick={open}>
              {qaDeviceTexts.add}
            </Button>
          )
        }
        query={devices}
        columns={columns}
        rowKey={({ id }) => id}
        empty={{
          icon: <IconDeviceMobile size={32} stroke={1.5} />,
          title: qaDeviceTexts.emptyTitle,
          text: qaDeviceTexts.emptyText,
        }}
        menu={
          canEdit
            ? (device) => (
                <RowMenu name={device.id}>
                  <Menu.Item leftSection={<IconTrash size={18} />} onClick={() => remove(device)}>
                    {qaDeviceTexts.remove}
                  </Menu.Item>
                </RowMenu>
              )
            : undefined
        }
      />
    </>
  );
}

/** Return a function that removes a device, and offers to take that back. */
function useRemoveDevice(projectId: string): (device: QaDevice) => void {
  const queryClient = useQueryClient();
  const query = qaDevicesQuery(projectId);
  const change = useMutation({
    mutationFn: async ({ edit }: { edit: (map: DeviceMap) => DeviceMap }) => {
      const present = await queryClient.fetchQuery({ ...query, staleTime: 0 });
      return replaceDevices(projectId, present.etag, edit(present.data.devices));
    },
    onSuccess: (replaced) => queryClient.setQueryData(query.queryKey, replaced),
  });
  const putBack = (device: QaDevice) => (map: DeviceMap) => {
    if (device.id in map) {
      throw changedSince();
    }
    return withDevice(map, device);
  };
  return (device) =>
    change.mutate(
      { edit: (map) => withoutDevice(map, device.id) },
      {
        onSuccess: () =>
          toastWithUndo(qaDeviceTexts.removed(device.id), () => change.mutateAsync({ edit: putBack(device) })),
        onError: (error) => toastError(error),
      },
    );
}
