/**
 * The options of a query that its view can do without, such as the names for ids. `newQueryClient` reports its failure
 * as a toast with the request id.
 */
export const OPTIONAL_QUERY = { meta: { isOptional: true } } as const;
