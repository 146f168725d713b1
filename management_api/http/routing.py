"""Routes, their endpoints and the router: a path, its resource, and who may call each method."""

import functools
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import falcon
import msgspec
from falcon.routing import CompiledRouter

from common.errors import ErrorCode, MethodNotAllowedError
from management_api.db.models.projects import Role
from management_api.http.requests import RequestModel, body_of, optional_body_of, public_body_of, query_of
from management_api.http.responses import RawResponse, ResponseModel

#: The `data` of an answer: one thing, a list of things, or none, which leaves a `message`.
Data = type[ResponseModel] | type[list[Any]] | RawResponse | None
Responder = Callable[..., None]
#: A body of this service, or one that SDKs send as well (`common/wire/public_bodies.py`).
Body = type[RequestModel] | type[msgspec.Struct]
_ATTRIBUTE = "onboarding_endpoint"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One operation of the interface.

    `errors` are the codes that this operation can end in besides those that follow from who may call it and from what
    it takes (`tools/openapi/` adds them): above all which 404 it gives, and its conflicts.
    """

    operation_id: str
    data: Data
    status: int
    errors: tuple[ErrorCode, ...]
    body: Body | None
    body_is_optional: bool
    #: What a client may ask for instead of JSON.
    other_media_types: tuple[str, ...]
    query: type[RequestModel] | None
    summary: str
    description: str


def endpoint(
    operation_id: str,
    data: Data = None,
    *,
    status: int = 200,
    errors: Sequence[ErrorCode] = (),
    body_is_optional: bool = False,
    other_media_types: Sequence[str] = (),
) -> Callable[[Responder], Responder]:
    """Declare what a responder answers; what it takes are the annotations of its parameters `body` and `query`.

    Both are read and checked before the responder is called, the query first, and the status is set. The docstring is
    the operation's documentation: its first line the summary, the rest the description, in Markdown. A responder
    without a declaration stops the start (`http/routing.py`).
    """

    def declare(responder: Responder) -> Responder:
        parameters = inspect.signature(responder).parameters
        body, query = (parameters[name].annotation if name in parameters else None for name in ("body", "query"))
        summary, _, description = inspect.cleandoc(responder.__doc__ or "").partition("\n")
        read_body = _reader_of(body, is_optional=body_is_optional)

        @functools.wraps(responder)
        def respond_as_declared(
            resource: object, request: falcon.Request, response: falcon.Response, **params: object
        ) -> None:
            if query is not None:
                params["query"] = query_of(request, query)
            if body is not None:
                params["body"] = read_body(request, body)
            response.status = status
            responder(resource, request, response, **params)

        declared = Endpoint(
            operation_id=operation_id,
            data=data,
            status=status,
            errors=tuple(errors),
            body=body,
            body_is_optional=body_is_optional,
            other_media_types=tuple(other_media_types),
            query=query,
            summary=summary.removesuffix("."),
            description=description.strip(),
        )
        setattr(respond_as_declared, _ATTRIBUTE, declared)
        return respond_as_declared

    return declare


def _reader_of(body: Body | None, *, is_optional: bool) -> Callable[[falcon.Request, Any], object]:
    if body is not None and issubclass(body, msgspec.Struct):
        return public_body_of
    return optional_body_of if is_optional else body_of


def endpoint_of(resource: object, method: str) -> Endpoint | None:
    """Give what a resource declares of a method, or None when it forgot to."""
    declared: Endpoint | None = getattr(getattr(resource, f"on_{method.lower()}"), _ATTRIBUTE, None)
    return declared


class Access(Enum):
    """Who may call a method when no role in one project decides it."""

    #: Any authenticated user; what they see is their own.
    USER = "any authenticated user"
    #: Anyone, without a credential: the operations endpoints.
    OPEN = "anyone"


#: A role is the least role in the project that the request is about.
Permission = Role | Access

#: The methods that every path answers besides its own, without reaching a resource's data.
_COURTESY_METHODS = ("HEAD", "OPTIONS")


class Route:
    """One path of the interface. Each method names who may call it, and the resource must have just these methods.

    A last part `{name:path}` takes slashes as well, in a value that is free text; `template` says so to Falcon, and
    `path` is how the interface writes it.
    """

    def __init__(
        self,
        path: str,
        resource: object,
        *,
        get: Permission | None = None,
        post: Permission | None = None,
        put: Permission | None = None,
        delete: Permission | None = None,
    ) -> None:
        named = {"GET": get, "POST": post, "PUT": put, "DELETE": delete}
        self.template = path
        self.path = path.replace(":path}", "}")
        self.resource = resource
        self.permissions = {method: permission for method, permission in named.items() if permission is not None}
        self._check()

    @property
    def allowed_methods(self) -> list[str]:
        """Name the methods of the `Allow` header."""
        courtesy = _COURTESY_METHODS if "GET" in self.permissions else ("OPTIONS",)
        return sorted({*self.permissions, *courtesy})

    def permission(self, method: str) -> Permission:
        """Give who may call the method; HEAD is a GET without its body. Raises MethodNotAllowedError."""
        if method == "OPTIONS":
            return Access.OPEN
        permission = self.permissions.get("GET" if method == "HEAD" else method)
        if permission is None:
            raise MethodNotAllowedError(self.allowed_methods)
        return permission

    def endpoint(self, method: str) -> Endpoint:
        """Give what the responder of a method of this row takes and answers. Raises ValueError when it does not say."""
        declared = endpoint_of(self.resource, method)
        if declared is None or not declared.summary:
            responder = f"{type(self.resource).__name__}.on_{method.lower()}"
            raise ValueError(f"{self.path}: {responder} must have @endpoint(...) and a docstring, which document it")
        return declared

    def _check(self) -> None:
        if not self.path.startswith("/"):
            raise ValueError(f"the path {self.path} must begin with /")
        answered = {name.removeprefix("on_").upper() for name in dir(self.resource) if name.startswith("on_")}
        if not answered or answered != self.permissions.keys():
            resource = type(self.resource).__name__
            raise ValueError(
                f"{self.path}: {resource} answers {sorted(answered)}, its row says who may call"
                f" {sorted(self.permissions)}"
            )
        for method in self.permissions:
            self.endpoint(method)


class HeadOptionsRouter(CompiledRouter):
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
