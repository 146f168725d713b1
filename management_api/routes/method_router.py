"""Falcon's router, taught the two methods that HTTP expects of every resource: HEAD and OPTIONS."""

from typing import Any

import falcon
from falcon.routing import CompiledRouter


class MethodRouter(CompiledRouter):
    """HEAD is answered like GET, without the body; OPTIONS names the methods, without a body either."""

    def map_http_methods(self, resource: object, **kwargs: Any) -> dict[str, Any]:  # noqa: ANN401 - Falcon's signature
        """Give the responders of a resource by method."""
        responders: dict[str, Any] = dict(super().map_http_methods(resource, **kwargs))
        if "GET" in responders:
            responders["HEAD"] = responders["GET"]
        allowed = ", ".join(sorted({*responders, "OPTIONS"}))

        def name_methods(_request: falcon.Request, response: falcon.Response, **_params: str) -> None:
            response.status = falcon.HTTP_NO_CONTENT
            response.set_header("Allow", allowed)

        responders["OPTIONS"] = name_methods
        return responders
