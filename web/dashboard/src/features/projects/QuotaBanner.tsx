import { Alert, Anchor } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { formatFraction } from "@/ui/values/format";
import type { NearQuota } from "./quotas";
import { projectTexts } from "./texts";

/** Tells that a quota of the day is nearly or wholly used up. */
export default function QuotaBanner({ name, share }: NearQuota) {
  const isUsedUp = share >= 1;
  const quota = projectTexts.quotas[name];
  return (
    <Alert color={isUsedUp ? "red" : "yellow"} icon={<IconAlertTriangle size={18} />} role="status" mb="md">
      {isUsedUp
        ? projectTexts.quotaUsedUp(quota)
        : projectTexts.quotaNear(quota, formatFraction(Math.floor(share * 100) / 100))}{" "}
      <Anchor href="/api/docs#/projects/get_project" target="_blank" rel="noreferrer" inherit>
        {projectTexts.aboutQuotas}
      </Anchor>
    </Alert>
  );
}
