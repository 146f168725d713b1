import { queryOptions } from "@tanstack/react-query";
import { api } from "@/api/client";
import { keys } from "@/api/keys";
import { taggedOf } from "@/api/responses";
import type { QaDevicesView } from "@/api/schema";

/** The devices that always get one flow, with the entity tag of the map. */
export function qaDevicesQuery(projectId: string) {
  return queryOptions({
    queryKey: [...keys.projects.qaDevices, projectId],
    queryFn: ({ signal }) =>
      taggedOf(
        api.GET("/api/projects/{project_id}/qa-devices", { params: { path: { project_id: projectId } }, signal }),
      ),
  });
}

/** A device with the flow that it always gets. */
export interface QaDevice {
  id: string;
  flowId: string;
  draft: boolean;
}

export type DeviceMap = QaDevicesView["devices"];

/** Return the devices of the map in the order of their ids. */
export function devicesOf(map: DeviceMap): QaDevice[] {
  return Object.entries(map)
    .map(([id, flow]) =>
      typeof flow === "string" ? { id, flowId: flow, draft: false } : { id, flowId: flow.flow_id, draft: flow.draft },
    )
    .sort((first, second) => first.id.localeCompare(second.id));
}

/** Return the map with a device added or changed. */
export function withDevice(map: DeviceMap, { id, flowId, draft }: QaDevice): DeviceMap {
  return { ...map, [id]: draft ? { flow_id: flowId, draft } : flowId };
}

/** Return the map without a device. */
export function withoutDevice(map: DeviceMap, id: string): DeviceMap {
  return Object.fromEntries(Object.entries(map).filter(([device]) => device !== id));
}

/** Replace the map, unless another user has changed it since it was read. */
export function replaceDevices(projectId: string, etag: string | null, devices: DeviceMap) {
  return taggedOf(
    api.PUT("/api/projects/{project_id}/qa-devices", {
      params: { path: { project_id: projectId }, header: etag ? { "If-Match": etag } : undefined },
      body: { devices },
    }),
  );
}
