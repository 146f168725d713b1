import createClient, { type Middleware } from "openapi-fetch";
import { errorOfResponse } from "./errors";
import { idempotency } from "./idempotency";
import { limitedFetch } from "./limitedFetch";
import type { paths } from "./schema";

/** The source of the bearer token; the session implements it. */
export interface TokenSource {
  /** Return a token that has not expired. Without one, leave the page to sign in again. */
  token(): Promise<string>;
  /** Sign in again after the service has rejected the token. */
  reauthenticate(): Promise<void>;
}

let tokenSource: TokenSource | null = null;

/** Set the source of the token of all further requests. */
export function setTokenSource(source: TokenSource): void {
  tokenSource = source;
}

/** Return the bearer token, for requests that do not go through `api`; empty before the session has begun. */
export async function token(): Promise<string> {
  return (await tokenSource?.token()) ?? "";
}

const authorization: Middleware = {
  async onRequest({ request }) {
    if (tokenSource) {
      request.headers.set("Authorization", `Bearer ${await tokenSource.token()}`);
    }
    return request;
  },
  async onResponse({ response }) {
    if (response.status === 401) {
      await tokenSource?.reauthenticate();
    }
    if (!response.ok) {
      throw await errorOfResponse(response);
    }
    return response;
  },
};

/** The management interface, typed by its OpenAPI document. It throws every error response as `ApiError`. */
export const api = createClient<paths>({
  baseUrl: window.location.origin,
  fetch: limitedFetch,
});
api.use(authorization, idempotency);
