import { Alert, Anchor } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { texts } from "@/texts";
import { formatFraction } from "@/ui/format";
import type { NearQuota } from "./quotas";

/** Tells that a quota of the day is nearly or wholly used up. */
export default function QuotaBanner({ name, share }: NearQuota) {
  const isUsedUp = share >= 1;
  const quota = texts.projects.quotas[name];
  return (
    <Alert color={isUsedUp ? "red" : "yellow"} icon={<IconAlertTriangle size={18} />} role="status" mb="md">
      {isUsedUp
        ? texts.projects.quotaUsedUp(quota)
        : texts.projects.quotaNear(quota, formatFraction(Math.floor(share * 100) / 100))}{" "}
      <Anchor href="/api/docs#/projects/get_project" target="_blank" rel="noreferrer" inherit>
        {texts.projects.aboutQuotas}
      </Anchor>
    </Alert>
  );
}
