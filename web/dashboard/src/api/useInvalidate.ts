import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";

/** The queries that show a published flow: the first parts of their keys. */
const LIVE = ["flows", "flow", "versions", "schedules", "explanation"];

/**
 * What each change makes stale: the first parts of keys, of every project. This is the one list of it, so that a new
 * query is added here and in no view. Only queries that a view shows are read again.
 */
const STALE_AFTER = {
  experiment: ["experiments", "experiment", "experiment-results", "project", "flows", "flow"],
  flow: [...LIVE, "flow-order", "project", "draft-store"],
  member: ["members", "membership"],
  project: ["project", "projects", "flows"],
  projects: ["projects"],
  publication: LIVE,
  schedule: ["schedules"],
  theme: ["theme", "themes", "flows"],
} as const satisfies Record<string, readonly string[]>;

export type Change = keyof typeof STALE_AFTER;

/** Return a function that invalidates the queries that a change makes stale, and waits for their new data. */
export function useInvalidate(): (change: Change) => Promise<unknown> {
  const queryClient = useQueryClient();
  return useCallback(
    (change) => Promise.all(STALE_AFTER[change].map((part) => queryClient.invalidateQueries({ queryKey: [part] }))),
    [queryClient],
  );
}
