import type { EventView } from "@/api/schema";

/** What a project heard last of a platform. */
export interface Heard {
  platform: EventView["platform"];
  newest: EventView;
  /** The newest start of a flow. */
  start: EventView | undefined;
  /** The versions of the app in the events, the newest event's first. */
  versions: string[];
}

/** Return what was heard last, by platform, from events in the order of the service: the newest first. */
export function heardOf(events: readonly EventView[]): Heard[] {
  return [...new Set(events.map(({ platform }) => platform))].flatMap((platform) => {
    const heard = events.filter((event) => event.platform === platform);
    const [newest] = heard;
    const start = heard.find(({ event_type }) => event_type === "flow_started");
    const versions = [...new Set(heard.flatMap(({ app_version }) => app_version ?? []))];
    return newest ? [{ platform, newest, start, versions }] : [];
  });
}
