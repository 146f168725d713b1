import createClient, { type Middleware } from "openapi-fetch";
import { errorOfResponse } from "./errors";
import { limitedFetch } from "./limitedFetch";
import type { paths } from "./schema";

/** The source of the bearer token; the session implements it. */
export interface TokenSource {
  /** Return a token that has not expired. It leaves the page to sign in again if there is none. */
  token(): Promise<string>;
  /** Sign in again after the service has rejected the token. */
  reject(): Promise<void>;
}

let tokens: TokenSource | null = null;

/** Take the token of all further requests from a session. */
export function takeTokensFrom(source: TokenSource): void {
  tokens = source;
}

const authorization: Middleware = {
  async onRequest({ request }) {
    if (tokens) {
      request.headers.set("Authorization", `Bearer ${await tokens.token()}`);
    }
    return request;
  },
  async onResponse({ response }) {
    if (response.status === 401) {
      await tokens?.reject();
    }
    if (!response.ok) {
      throw await errorOfResponse(response);
    }
    return response;
  },
};

/** The management interface, typed by its OpenAPI document. Every response that is no success is thrown as `ApiError`. */
export const api = createClient<paths>({
  baseUrl: window.location.origin,
  fetch: limitedFetch,
});
api.use(authorization);
