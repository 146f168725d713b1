import { Stack, Text } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api } from "@/api/client";
import { keys } from "@/api/keys";
import { dataOf } from "@/api/responses";
import { texts } from "@/texts";
import { formatTime } from "@/ui/values/format";
import { audienceTexts } from "./texts";

const words = audienceTexts;

/** The devices of a project in the last 7 days, by flow. */
function recentDevicesQuery(projectId: string) {
  const query = { projectId, period: "7d", group_by: "flow" } as const;
  return queryOptions({
    queryKey: [...keys.analytics.counts, query],
    queryFn: ({ signal }) => dataOf(api.GET("/api/analytics", { params: { query }, signal })),
  });
}

export interface LiveFactsProps {
  projectId: string;
  /** The devices that get the change, in words. */
  who: string;
  /** The flow that loses or keeps its devices; without it the project's devices are counted. */
  flow?: { id: string; name: string };
  /** The chosen time of the change, empty until it is chosen; without it the change is made at once. */
  at?: string;
  /** The difference for these devices. */
  children?: ReactNode;
}

/** What a change does to devices: which devices, how many of the last 7 days, from when, and the difference. */
export function LiveFacts({ projectId, who, flow, at, children }: LiveFactsProps) {
  const recent = useQuery(recentDevicesQuery(projectId));
  return (
    <Stack gap="sm">
      <Stack component="dl" gap="xs" m={0} aria-label={words.title}>
        <Fact label={words.who}>{who}</Fact>
        {/* The question does not depend on the count. */}
        {!recent.isError && <Fact label={words.howMany}>{recent.data ? countInWords() : texts.ui.loading}</Fact>}
        <Fact label={words.when}>
          {at === undefined ? words.atOnce : at === "" ? words.timeOpen : formatTime(new Date(at))}
        </Fact>
      </Stack>
      {children}
    </Stack>
  );

  function countInWords(): string {
    const { totals, rows } = recent.data ?? { totals: { users: 0 }, rows: [] };
    const had = rows.find(({ flow_id }) => flow_id === flow?.id)?.users ?? 0;
    return flow && totals.users > 0 ? words.ofFlow(had, totals.users, flow.name) : words.ofProject(totals.users);
  }
}

function Fact({ label, children }: { label: string; children: string }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {label}
      </Text>
      <Text component="dd" m={0}>
        {children}
      </Text>
    </div>
  );
}
