/** The budget of a view, which also holds while views change quickly. */
const READS_AT_ONCE = 4;

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Send a request. A read waits while four others are under way; one that was cancelled meanwhile is never sent. A
 * change does not wait.
 */
export async function limitedFetch(request: Request): Promise<Response> {
  if (request.method !== "GET") {
    return fetch(request);
  }
  if (running < READS_AT_ONCE) {
    running += 1;
  } else {
    // The read that ends leaves its place to this one.
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  try {
    const response = await fetch(request);
    // The read ends with its body.
    await response.clone().arrayBuffer();
    return response;
  } finally {
    const next = waiting.shift();
    if (next) {
      next();
    } else {
      running -= 1;
    }
  }
}
