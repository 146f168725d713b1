import type { UsedQuotasView } from "@/api/schema";

export type QuotaName = "events" | "property_bytes" | "new_devices";

export interface NearQuota {
  name: QuotaName;
  /** From 0.8 on; 1 and more: it is used up. */
  share: number;
}

const NAMES: readonly QuotaName[] = ["events", "property_bytes", "new_devices"];
const NEAR = 0.8;

/** Return the quota of the day that is used most, if 80 % of it are. */
export function nearestQuota(quotas: UsedQuotasView): NearQuota | null {
  const shares = NAMES.map((name) => ({ name, share: quotas[name].used / quotas[name].limit }));
  const nearest = shares.reduce((most, next) => (next.share > most.share ? next : most));
  return nearest.share >= NEAR ? nearest : null;
}
