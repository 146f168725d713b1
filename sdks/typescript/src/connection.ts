/** Requests to the edge. A request ends in its time, whatever the service, a proxy or a portal sends. */

import { type Json, object, text } from "@onboarding/flow/json";
import type { Clock } from "./types";

/** A reply of the service. The status is 0 without one in time; the body is null if `content` is no JSON object. */
export interface Reply {
  status: number;
  content: string;
  body: Json | null;
  etag: string;
  retryAfterMs: number;
}

export interface Request {
  method: "GET" | "POST";
  path: string;
  body?: string;
  headers?: Record<string, string>;
  timeoutMs: number;
  /** Lets the request outlive a page that ends. */
  keepalive?: boolean;
}

export const NO_REPLY: Reply = { status: 0, content: "", body: null, etag: "", retryAfterMs: 0 };
const MAX_RETRY_AFTER_MS = 86_400_000;

export class Connection {
  private readonly baseUrl: string;

  constructor(
    baseUrl: string,
    private readonly headers: Record<string, string>,
    private readonly fetch: typeof globalThis.fetch,
    private readonly clock: Clock,
  ) {
    this.baseUrl = baseUrl.replace(/\/+$/, "");
  }

  /** Send a request. The promise is never rejected, and is settled after the time of the request at the latest. */
  send({ timeoutMs, path, ...request }: Request): Promise<Reply> {
    return new Promise((settle) => {
      const controller = typeof AbortController === "function" ? new AbortController() : null;
      const end = (reply: Reply) => {
        cancel();
        settle(reply);
      };
      const cancel = this.clock.after(timeoutMs, () => {
        end(NO_REPLY);
        controller?.abort();
      });
      const { headers, ...others } = request;
      const json: Record<string, string> = others.body === undefined ? {} : { "Content-Type": "application/json" };
      const init = { ...others, headers: { ...this.headers, ...json, ...headers }, signal: controller?.signal ?? null };
      this.exchange(this.baseUrl + path, { ...init, credentials: "omit" }).then(end, () => end(NO_REPLY));
    });
  }

  private async exchange(url: string, init: RequestInit): Promise<Reply> {
    const response = await this.fetch(url, init);
    const content = await response.text();
    return {
      status: response.status,
      content,
      body: parsed(content),
      etag: response.headers.get("ETag") ?? "",
      retryAfterMs: this.waitOf(response.headers.get("Retry-After")),
    };
  }

  private waitOf(retryAfter: string | null): number {
    const seconds = Number(retryAfter ?? 0);
    const wait = Number.isNaN(seconds) ? Date.parse(retryAfter ?? "") - this.clock.now() : seconds * 1000;
    return wait > 0 ? Math.min(wait, MAX_RETRY_AFTER_MS) : 0;
  }
}

/** Return the code of an error of the service; empty for a reply that is not of the service. */
export function errorCode({ body }: Reply): string {
  return body?.success === false ? text(body.code) : "";
}

function parsed(content: string): Json | null {
  try {
    const value: unknown = JSON.parse(content);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? object(value) : null;
  } catch {
    return null;
  }
}
