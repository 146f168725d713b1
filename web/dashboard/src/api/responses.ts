import type { Pagination } from "./schema";

/**
 * A result of the client. The client throws errors, so the body is that of a success. It is a string where an endpoint
 * responds with CSV.
 */
type Result<Body> = Promise<{ data?: Body | string; response: Response }>;

/** One page of a list. */
export interface Page<Item> {
  items: Item[];
  pagination: Pagination;
}

/** An object with its entity tag, which a change sends back as `If-Match`. */
export interface Tagged<Data> {
  data: Data;
  etag: string | null;
}

/** Return the body of a success; throw an error for a response without JSON. */
async function body<Body extends object>(result: Result<Body>): Promise<Body> {
  const { data } = await result;
  if (data === undefined || typeof data === "string") {
    throw new Error("The response has no JSON");
  }
  return data;
}

/** Return `data` of a response. */
export async function dataOf<Data>(result: Result<{ data: Data }>): Promise<Data> {
  return (await body(result)).data;
}

/** Return the items of a list with their pagination. */
export async function pageOf<Item>(result: Result<{ data: Item[]; pagination: Pagination }>): Promise<Page<Item>> {
  const { data, pagination } = await body(result);
  return { items: data, pagination };
}

/** Return `data` of a response with its entity tag. */
export async function taggedOf<Data>(result: Result<{ data: Data }>): Promise<Tagged<Data>> {
  const { data } = await body(result);
  return { data, etag: (await result).response.headers.get("ETag") };
}
