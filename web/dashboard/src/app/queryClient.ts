import { QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError, isTransient } from "@/api/errors";

const RETRIES = 2;
/** A view that is opened again within this time shows what it has. */
const FRESH_MILLISECONDS = 10_000;

/** Return the cache of all queries. Reads are repeated when the network or the service fails; changes never are. */
export function newQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { meta, state }) => {
        // The view itself has the message about an address that leads to nothing.
        const isGone = error instanceof ApiError && error.status === 404;
        if (meta?.isAside && state.data === undefined && !isGone) {
          void import("@/ui/feedback").then(({ toastError }) => toastError(error));
        }
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: FRESH_MILLISECONDS,
        retry: (failures, error) => failures < RETRIES && isTransient(error),
      },
      mutations: { retry: false },
    },
  });
}
