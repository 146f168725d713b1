import { QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiError, isTransient } from "@/api/errors";

const RETRIES = 2;
/** A view that is opened again within this time shows cached data without a request. */
const FRESH_MILLISECONDS = 10_000;

/** Return the client of all queries. It repeats reads when the network or the service fails, and never changes. */
export function newQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { meta, state }) => {
        // The view itself shows that the object does not exist.
        const isNotFound = error instanceof ApiError && error.status === 404;
        if (meta?.isOptional && state.data === undefined && !isNotFound) {
          void import("@/ui/feedback/feedback").then(({ toastError }) => toastError(error));
        }
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: FRESH_MILLISECONDS,
        retry: (failures, error) => failures < RETRIES && isTransient(error),
      },
      // A change fails at once without a connection: it must not run later, when its view may be gone.
      mutations: { retry: false, networkMode: "always" },
    },
  });
}
