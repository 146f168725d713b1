import * as z from "zod/mini";

/** The filters of a list in the address; an invalid one counts as absent. */
export const listSearch = {
  page: z.catch(z.optional(z.int().check(z.minimum(1))), undefined),
  sort: z.catch(z.optional(z.string()), undefined),
  search: z.catch(z.optional(z.string().check(z.maxLength(200))), undefined),
};
