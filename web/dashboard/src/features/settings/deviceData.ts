import { api } from "@/api/client";
import { dataOf } from "@/api/responses";

const PATH = "/api/projects/{project_id}/devices/{device_id}";

/**
 * Return all data of a device as one JSON document. Each page becomes a part of the file, so that few events are in
 * memory at once. `onProgress` gets the number of events and dead letters so far.
 */
export async function exportDevice(
  projectId: string,
  deviceId: string,
  signal: AbortSignal,
  onProgress: (items: number) => void,
): Promise<Blob> {
  const events: Blob[] = [];
  const letters: Blob[] = [];
  let head: object | null = null;
  let items = 0;
  let cursor: string | undefined;
  do {
    const page = await dataOf(
      api.GET(`${PATH}/export`, {
        params: { path: { project_id: projectId, device_id: deviceId }, query: { cursor } },
        signal,
      }),
    );
    const { events: nextEvents, dead_letters, next, ...about } = page;
    head ??= { exported_at: new Date().toISOString(), ...about };
    events.push(...partOf(nextEvents ?? [], events.length === 0));
    letters.push(...partOf(dead_letters ?? [], letters.length === 0));
    items += (nextEvents?.length ?? 0) + (dead_letters?.length ?? 0);
    onProgress(items);
    cursor = next ?? undefined;
  } while (cursor !== undefined);
  const opening = JSON.stringify(head).slice(0, -1);
  return new Blob([opening, ',"events":[', ...events, '],"dead_letters":[', ...letters, "]}\n"], {
    type: "application/json",
  });
}

/** Erase a device, and return what the service says about it. */
export async function eraseDevice(projectId: string, deviceId: string): Promise<string> {
  const { data } = await api.DELETE(PATH, { params: { path: { project_id: projectId, device_id: deviceId } } });
  return data?.message ?? "";
}

/** Return items as the next part of a JSON list, one a line. */
function partOf(items: readonly object[], isFirst: boolean): Blob[] {
  const lines = items.map((item) => JSON.stringify(item)).join(",\n");
  return items.length === 0 ? [] : [new Blob([isFirst ? "\n" : ",\n", lines])];
}
