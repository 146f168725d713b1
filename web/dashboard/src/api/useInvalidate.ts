import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";

/** Return a function that invalidates all queries whose keys begin with one of these, and waits for their new data. */
export function useInvalidate(): (...queryKeys: QueryKey[]) => Promise<unknown> {
  const queryClient = useQueryClient();
  return useCallback(
    (...queryKeys) => Promise.all(queryKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey }))),
    [queryClient],
  );
}
