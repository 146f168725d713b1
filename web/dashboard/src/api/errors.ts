import type { ErrorDetail } from "./schema";

/** An error response of the service. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    message: string,
    readonly status: number,
    readonly code: string,
    readonly details: readonly ErrorDetail[],
    readonly requestId: string | null,
  ) {
    super(message);
  }
}

/** Return the error of a response whose status is not a success; a gateway's page becomes a general message. */
export async function errorOfResponse(response: Response): Promise<ApiError> {
  const requestId = response.headers.get("X-Request-Id");
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  if (typeof body === "object" && body !== null && "error" in body) {
    const { error, code, details } = body as {
      error: string;
      code?: string;
      details?: ErrorDetail[];
    };
    return new ApiError(error, response.status, code ?? "UNKNOWN", details ?? [], requestId);
  }
  return new ApiError(
    `The service responded with status ${response.status}`,
    response.status,
    "UNKNOWN",
    [],
    requestId,
  );
}

/** Return whether a repeated request may succeed: the network failed, or the service has no capacity for now. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ApiError) {
    return [429, 502, 503, 504].includes(error.status);
  }
  return error instanceof TypeError || (error instanceof DOMException && error.name === "TimeoutError");
}
