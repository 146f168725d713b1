/** The address of a page: `{base}/onboarding/{flow id}/{n}?deviceId=&locale=`, where the base ends with the ticket. */

import { openStore, randomId } from "./storage";

/** The parameters that the service needs to find the experiment of an event. Apps pass them as to a resolve. */
const CONTEXT = ["platform", "appVersion", "osVersion", "locale", "country", "attributes", "assignmentToken"];

export interface Address {
  /** Everything before `/onboarding/`. */
  base: string;
  flowId: string;
  deviceId: string;
  locale: string | null;
  /** Whether an SDK of ours has opened the page, which speaks bridge 2. */
  talks: boolean;
  /** The context of the device. */
  context: URLSearchParams;
}

/**
 * Return the parts of an address. Without `flowId` the id comes from the path, without a device id from the browser.
 */
export function readAddress(path: string, query: string, flowId: string): Address {
  const match = /^(.*?)\/onboarding\/([^/]+)/.exec(path);
  const given = new URLSearchParams(query);
  const context = new URLSearchParams();
  for (const name of CONTEXT) {
    const value = given.get(name);
    if (value !== null) {
      context.set(name, value);
    }
  }
  return {
    base: match?.[1] ?? "",
    flowId: flowId || decodeURIComponent(match?.[2] ?? ""),
    deviceId: (given.get("deviceId") ?? "").trim().slice(0, 256) || ownDeviceId(),
    locale: given.get("locale"),
    talks: given.get("bridge") === "2",
    context,
  };
}

/** Return the place of a screen in the flow, which a path ends with. */
export function placeIn(path: string): number {
  return Math.max(0, Number(/\/(\d+)\/?$/.exec(path)?.[1] ?? 1) - 1);
}

/** Return the path of a screen. */
export function pathOf(address: Address, index: number): string {
  return `${address.base}/onboarding/${encodeURIComponent(address.flowId)}/${index + 1}`;
}

/** Return the id of this browser, for links without a device id. */
function ownDeviceId(): string {
  const store = openStore(() => localStorage);
  const id = store.get("onboarding.device") ?? randomId();
  store.set("onboarding.device", id);
  return id;
}
