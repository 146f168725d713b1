import type { Middleware } from "openapi-fetch";

/** POSTs that change nothing have no key. */
const READS = /\/(explain|validate)$/;
/** A request that is repeated later than this is meant as another one. */
const REPEAT_MILLISECONDS = 10 * 60_000;
const FIRST_FAILURE = 500;

interface Post {
  /** The address and the body. */
  content: string;
  key: string;
}

const sent = new WeakMap<Request, Post>();
const unanswered = new Map<string, { key: string; until: number }>();

/** Return a random key. */
export function newKey(): string {
  // Pages that are not served by https have no `randomUUID`.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function keep(request: Request): void {
  const post = sent.get(request);
  if (post) {
    unanswered.set(post.content, { key: post.key, until: Date.now() + REPEAT_MILLISECONDS });
  }
}

/**
 * Send each POST with an `Idempotency-Key`. A POST that got no answer keeps its key: the same POST again, such as a
 * form that is submitted a second time, makes no second thing if the service had executed the first.
 */
export const idempotency: Middleware = {
  async onRequest({ request }) {
    if (request.method !== "POST" || READS.test(new URL(request.url).pathname)) {
      return request;
    }
    const content = `${request.url}\n${await request.clone().text()}`;
    const former = unanswered.get(content);
    const key = former && Date.now() < former.until ? former.key : newKey();
    unanswered.delete(content);
    request.headers.set("Idempotency-Key", key);
    sent.set(request, { content, key });
    return request;
  },
  onResponse({ request, response }) {
    if (response.status >= FIRST_FAILURE) {
      keep(request);
    }
    return response;
  },
  onError({ request }) {
    keep(request);
  },
};
