import { Anchor, Select, Stack, Text } from "@mantine/core";
import { skipToken, useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import type { PathsView, Period } from "@/api/schema";
import { pathsQuery } from "@/features/analytics/queries";
import { analyticsTexts } from "@/features/analytics/texts";
import { texts } from "@/texts";
import { errorText } from "@/ui/states";
import { formatCount } from "@/ui/values/format";
import { logicTexts } from "../logic/texts";
import { type FlowGraph, withUsers } from "./graph";
import { type FlowUsers, usersOf } from "./users";

const words = logicTexts.map;
const PERIODS = ["7d", "30d", "90d"] as const satisfies Period[];
const CHOICES = [
  { value: "", label: words.noUsers },
  ...PERIODS.map((value) => ({ value: value as string, label: analyticsTexts.periods[value] })),
];

export interface FlowUsersChoice {
  /** The paths of the live flow in the chosen period; null without a period, and until they are read. */
  paths: PathsView | null;
  /** The map with users. */
  graph: FlowGraph;
  /** The choice of the period, and what its users are. */
  choice: ReactNode;
}

/** Return the users of a flow in a period that is chosen, on the arrows of its map. */
export function useFlowUsers(flowId: string, graph: FlowGraph): FlowUsersChoice {
  const [period, setPeriod] = useState<Period | null>(null);
  const query = useQuery({
    ...pathsQuery(flowId, period ?? "30d"),
    ...(period === null && { queryFn: skipToken }),
  });
  const paths = period === null ? null : (query.data ?? null);
  const users = useMemo(() => (paths ? usersOf(graph, paths) : null), [graph, paths]);
  const shown = useMemo(() => withUsers(graph, users), [graph, users]);
  const choice = (
    <Stack gap={4}>
      <Select
        size="xs"
        aria-label={words.users}
        data={CHOICES}
        allowDeselect={false}
        value={period ?? ""}
        onChange={(value) => setPeriod((value || null) as Period | null)}
      />
      <Text size="xs" c="dimmed" role="status">
        {period !== null && query.isPending ? words.reading : users ? usersInWords(users) : ""}
      </Text>
      {period !== null && query.isError && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {words.notRead(errorText(query.error))}{" "}
          <Anchor component="button" type="button" inherit onClick={() => void query.refetch()}>
            {texts.ui.retry}
          </Anchor>
        </Text>
      )}
    </Stack>
  );
  return { paths, graph: shown, choice };
}

/** Return whose ways the map shows, and whose it cannot show. */
export function usersInWords({ started, untold, elsewhere }: FlowUsers): string {
  if (started === 0) {
    return words.nobody;
  }
  if (untold === started) {
    return words.noneTold(formatCount(started));
  }
  return [
    words.started(formatCount(started)),
    ...(untold > 0 ? [words.someUntold(formatCount(untold))] : []),
    ...(elsewhere > 0 ? [words.elsewhere(formatCount(elsewhere))] : []),
  ].join(" ");
}
