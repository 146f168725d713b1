import { expect, test } from "vitest";
import { ApiError, errorOfResponse, isTransient } from "./errors";

test("error body becomes an error with its details and request id", async () => {
  const details = [{ field: "name", code: "INVALID_PARAMETER", message: "must be shorter" }];
  const body = { success: false, error: "name must be shorter", code: "INVALID_PARAMETER", status: 400, details };
  const response = Response.json(body, { status: 400, headers: { "X-Request-Id": "request-1" } });
  const error = await errorOfResponse(response);
  expect(error).toMatchObject({ message: body.error, status: 400, code: body.code, details, requestId: "request-1" });
});

test("page of a gateway becomes a general message", async () => {
  const error = await errorOfResponse(new Response("<html>Bad gateway</html>", { status: 502 }));
  expect(error.message).toBe("The service responded with status 502");
  expect(error.details).toEqual([]);
});

test("reads are repeated after failures of the network and of the service only", () => {
  const errorWith = (status: number) => new ApiError("", status, "", [], null);
  expect([new TypeError("fetch failed"), errorWith(503), errorWith(404), errorWith(500)].map(isTransient)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
