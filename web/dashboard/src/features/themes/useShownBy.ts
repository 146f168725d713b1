import { useQuery } from "@tanstack/react-query";
import type { ListedFlowView, ThemeView } from "@/api/schema";
import { flowsQuery } from "@/features/flows/queries";
import { themeTexts as words } from "./texts";

/** Who sees a theme: active flows that have it, and with the default theme those without one. */
export interface ShownBy {
  /** The devices in words. */
  who: string;
  /** The flow, if there is one alone. */
  flow: ListedFlowView | undefined;
}

/** Return who sees a theme; null while it is read. `isDefault`: as the default theme. */
export function useShownBy(theme: ThemeView, isDefault: boolean): ShownBy | null {
  const active = useQuery({ ...flowsQuery(theme.project_id, { status: "active" }), staleTime: 0 }).data?.items;
  if (active === undefined) {
    return null;
  }
  const flows = active.filter(({ theme_id }) => theme_id === theme.id || (theme_id === null && isDefault));
  const who = flows.length === 0 ? words.nobody : words.devicesOf(flows.map(({ name }) => name));
  return { who, flow: flows.length === 1 ? flows[0] : undefined };
}
