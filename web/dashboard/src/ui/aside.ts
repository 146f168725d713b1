/**
 * The options of a query whose view works without it, such as the names in place of ids. Its failure is a message beside
 * the view, with the request id.
 */
export const ASIDE = { meta: { isAside: true } } as const;
