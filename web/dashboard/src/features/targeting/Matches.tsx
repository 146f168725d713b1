import { Text } from "@mantine/core";
import { holds } from "@onboarding/flow/conditions";
import { useQuery } from "@tanstack/react-query";
import { useProjectId } from "@/api/projects";
import type { Condition } from "@/api/schema";
import { countsQuery } from "@/features/analytics/queries";
import { attributeInWords } from "@/features/audience/words";
import { OPTIONAL_QUERY } from "@/ui/optionalQuery";
import { targetingTexts } from "./texts";

interface Devices {
  platform?: string | null;
  users: number;
}

/** Return the devices that match the conditions on the platform, the only attribute by which the service counts devices. */
export function matching(conditions: readonly Condition[], devices: readonly Devices[]): number {
  const onPlatform = conditions.filter(({ attribute }) => attribute === "platform");
  return devices
    .filter(({ platform }) =>
      onPlatform.every((condition) => holds({ value: undefined, ...condition }, platform ? { platform } : {})),
    )
    .reduce((sum, { users }) => sum + users, 0);
}

/** The number of the devices of the last 7 days that match, or the attributes that hide it. */
export function Matches({ conditions }: { conditions: readonly Condition[] }) {
  const counts = useQuery({
    ...countsQuery(useProjectId(), "platform", { period: "7d" }),
    enabled: conditions.some(({ attribute }) => attribute === "platform"),
    ...OPTIONAL_QUERY,
  }).data;
  const attributes = new Set(conditions.map(({ attribute }) => attribute));
  const hidden = [...attributes].filter((name) => name !== "platform").map(attributeInWords);
  const count =
    counts && targetingTexts.matches(matching(conditions, counts.rows), counts.totals.users, hidden.length > 0);
  return (
    <Text size="sm" c="dimmed" role="status">
      {[count, hidden.length > 0 && targetingTexts.notCounted(hidden)].filter(Boolean).join(" ")}
    </Text>
  );
}
