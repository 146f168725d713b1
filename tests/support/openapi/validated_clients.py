"""Clients of the tests that validate each response against the OpenAPI document."""

from typing import Any

import httpx
from falcon.testing import Result, TestClient

from tests.support.openapi.validated_responses import Seen, openapi_validated_responses


class OpenApiValidatedTestClient(TestClient):
    """Falcon's client of the management service."""

    def simulate_request(self, *args: Any, **kwargs: Any) -> Result:  # noqa: ANN401 - passed to Falcon
        """Send a request and validate the response."""
        result = super().simulate_request(*args, **kwargs)
        method, path = (*args, *(kwargs[name] for name in ("method", "path")[len(args) :]))[:2]
        # A test sets PATH_INFO for a path that this client would encode.
        path = (kwargs.get("extras") or {}).get("PATH_INFO", path)
        headers = {name.lower(): value for name, value in result.headers.items()}
        seen = Seen(method, path, result.status_code, headers, result.content)
        openapi_validated_responses(sdk=False).check(seen)
        return result


def openapi_validated_client(*, sdk: bool | None, **options: Any) -> httpx.Client:  # noqa: ANN401 - passed to httpx
    """Return an HTTP client of the edge (`sdk`), of the management service, or (None) of both."""

    def validate(response: httpx.Response) -> None:
        request = response.request
        path = request.url.raw_path.partition(b"?")[0].decode("ascii")
        seen = Seen(request.method, path, response.status_code, dict(response.headers), response.read())
        openapi_validated_responses(sdk=sdk).check(seen)

    return httpx.Client(event_hooks={"response": [validate]}, **options)
