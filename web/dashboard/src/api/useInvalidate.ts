import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { keys } from "./keys";

/**
 * What each change makes stale: branches of the tree of keys, of every project. This is the one list of it, so that a
 * new query is added here and in no view. Only queries that a view shows are read again.
 */
const STALE_AFTER = {
  experiment: [keys.experiments.all, keys.projects.one, keys.flows.all],
  flow: [keys.flows.all, keys.projects.one, keys.draft.store],
  member: [keys.members.all],
  project: [keys.projects.all, keys.flows.list],
  projects: [keys.projects.list],
  publication: [keys.flows.all],
  schedule: [keys.flows.schedules],
  theme: [keys.themes.all, keys.flows.list, keys.draft.store],
} as const satisfies Record<string, readonly QueryKey[]>;

export type Change = keyof typeof STALE_AFTER;

/** Return a function that invalidates the queries that a change makes stale, and waits for their new data. */
export function useInvalidate(): (change: Change) => Promise<unknown> {
  const queryClient = useQueryClient();
  return useCallback(
    (change) => Promise.all(STALE_AFTER[change].map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
    [queryClient],
  );
}
