import { QueryClient } from "@tanstack/react-query";
import { isTransient } from "@/api/errors";

const RETRIES = 2;
/** A view that is opened again within this time shows what it has. */
const FRESH_MILLISECONDS = 10_000;

/** Return the cache of all queries. Reads are repeated when the network or the service fails; changes never are. */
export function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MILLISECONDS,
        retry: (failures, error) => failures < RETRIES && isTransient(error),
      },
      mutations: { retry: false },
    },
  });
}
