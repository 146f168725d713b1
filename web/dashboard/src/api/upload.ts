import { token } from "./client";
import { errorOfResponse } from "./errors";
import { newKey } from "./idempotency";

/** A request that gets no byte further for this time has failed: no connection of a phone takes longer for 30 MiB. */
const TIMEOUT_MILLISECONDS = 150_000;

/**
 * Send a file as a body, and return the `data` of the response. `fetch` does not tell how much was sent. Throws
 * `ApiError`, a TypeError without a response, and an AbortError of the signal.
 */
export async function upload<Data>(
  path: string,
  file: Blob,
  onProgress: (share: number) => void,
  signal?: AbortSignal,
): Promise<Data> {
  const authorization = `Bearer ${await token()}`;
  const response = await new Promise<Response>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", path);
    request.timeout = TIMEOUT_MILLISECONDS;
    request.setRequestHeader("Authorization", authorization);
    request.setRequestHeader("Content-Type", file.type);
    request.setRequestHeader("Idempotency-Key", newKey());
    request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0);
    request.onload = () => {
      const headers = { "X-Request-Id": request.getResponseHeader("X-Request-Id") ?? "" };
      resolve(new Response(request.responseText, { status: request.status, headers }));
    };
    request.onerror = request.ontimeout = () => reject(new TypeError("The connection failed"));
    request.onabort = () => reject(new DOMException("The upload was cancelled", "AbortError"));
    signal?.addEventListener("abort", () => request.abort());
    request.send(file);
  });
  if (!response.ok) {
    throw await errorOfResponse(response);
  }
  return ((await response.json()) as { data: Data }).data;
}
