/** Each view may have this many parallel reads. The limit also holds while views change quickly. */
const MAX_PARALLEL_READS = 4;

let running = 0;
const waiting: (() => void)[] = [];

/** A request without a response fails after this time, so that it keeps no place and no change waiting for ever. */
const TIMEOUT_MILLISECONDS = 30_000;

function fetchInTime(request: Request): Promise<Response> {
  return fetch(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MILLISECONDS)]) });
}

/**
 * Send a request and return the response. A read waits while four others run. A read that is cancelled while it waits
 * is never sent. A change does not wait.
 */
export async function limitedFetch(request: Request): Promise<Response> {
  if (request.method !== "GET") {
    return fetchInTime(request);
  }
  if (running < MAX_PARALLEL_READS) {
    running += 1;
  } else {
    // The read that ends starts this one, so `running` stays the same.
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  try {
    const response = await fetchInTime(request);
    // The read runs until its body has arrived.
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
