"""Routes, their endpoints and the router: a path, its resource, and the permission of each method."""

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
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

#: The `data` of a response: one object, a list, or none, which leaves a `message`.
Data = type[ResponseModel] | type[list[Any]] | RawResponse | None
Responder = Callable[..., None]
#: A body of this service, or one of the public endpoints (`common/wire/public_bodies.py`).
Body = type[RequestModel] | type[msgspec.Struct]
_ATTRIBUTE = "onboarding_endpoint"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One operation of the interface.

    `errors` are the codes of this operation alone, such as its 404 and its conflicts. `tools/openapi/` adds the codes
    that follow from its permission, body and query.
    """

    operation_id: str
    data: Data
    status: int
    #: The `data` of responses with another status, for a PUT that creates or replaces.
    other_responses: tuple[tuple[int, Data], ...]
    errors: tuple[ErrorCode, ...]
    body: Body | None
    body_is_optional: bool
    #: Media types besides JSON that `Accept` may request.
    other_media_types: tuple[str, ...]
    #: Media types of a body that is a file, which the responder reads itself.
    uploads: tuple[str, ...]
    query: type[RequestModel] | None
    summary: str
    description: str


def endpoint(  # noqa: PLR0913 - the parts of an operation
    operation_id: str,
    data: Data = None,
    *,
    status: int = 200,
    other_responses: Mapping[int, Data] | None = None,
    errors: Sequence[ErrorCode] = (),
    body_is_optional: bool = False,
    other_media_types: Sequence[str] = (),
    uploads: Sequence[str] = (),
) -> Callable[[Responder], Responder]:
    """Document a responder, set the status, and pass the checked query and body to it.

    The models are the annotations of its parameters `query` and `body`; the query is checked first. The parameter
    `reader` is the ColumnReader that has read the credential; a responder without it opens a session. The docstring is
    the documentation of the operation: the first line is the summary, the rest the description, in Markdown. A
    responder without this decorator stops the start.
    """

    def decorate(responder: Responder) -> Responder:
        parameters = inspect.signature(responder).parameters
        body, query = (parameters[name].annotation if name in parameters else None for name in ("body", "query"))
        summary, _, description = inspect.cleandoc(responder.__doc__ or "").partition("\n")
        reads_columns = "reader" in parameters
        read_body = _reader_of(body, is_optional=body_is_optional)

        @functools.wraps(responder)
        def respond(resource: object, request: falcon.Request, response: falcon.Response, **params: object) -> None:
            if query is not None:
                params["query"] = query_of(request, query)
            if body is not None:
                params["body"] = read_body(request, body)
            if reads_columns:
                params["reader"] = request.context.reader
            elif "reader" in request.context:
                # A request must not wait for a second connection of the pool.
                request.context.reader.close()
            response.status = status
            responder(resource, request, response, **params)

        declared = Endpoint(
            operation_id=operation_id,
            data=data,
            status=status,
            other_responses=tuple((other_responses or {}).items()),
            errors=tuple(errors),
            body=body,
            body_is_optional=body_is_optional,
            other_media_types=tuple(other_media_types),
            uploads=tuple(uploads),
            query=query,
            summary=summary.removesuffix("."),
            description=description.strip(),
        )
        setattr(respond, _ATTRIBUTE, declared)
        return respond

    return decorate


def _reader_of(body: Body | None, *, is_optional: bool) -> Callable[[falcon.Request, Any], object]:
    if body is not None and issubclass(body, msgspec.Struct):
        return public_body_of
    return optional_body_of if is_optional else body_of


def endpoint_of(resource: object, method: str) -> Endpoint | None:
    """Return the endpoint of a method of a resource; None if its responder has no @endpoint."""
    declared: Endpoint | None = getattr(getattr(resource, f"on_{method.lower()}"), _ATTRIBUTE, None)
    return declared


class Access(Enum):
    """The permission of a method that needs no role in a project."""

    #: Any authenticated user; the response has only data of theirs.
    USER = "any authenticated user"
    #: Anyone, without a credential: the operations endpoints.
    OPEN = "anyone"


#: A role is the least role in the project that the request is about.
Permission = Role | Access

#: The end of a field that takes slashes.
_FREE_TEXT = ":path}"
#: The methods that each path has besides its own.
_ADDED_METHODS = ("HEAD", "OPTIONS")


class Route:
    """One path of the interface, with the permission of each method. The resource must have exactly these methods.

    A request counts as `cost` requests of its rate limit. That is for work which grows with the whole project.

    The last field may be `{name:path}`, for free text with slashes: `template` is the path for the router, `path` the
    path of the interface. An ending may follow it; `beside` is then the route without the ending, whose free text may
    have it as well, so that its methods stay allowed.
    """

    def __init__(  # noqa: PLR0913 - the members of a row
        self,
        path: str,
        resource: object,
        *,
        get: Permission | None = None,
        post: Permission | None = None,
        put: Permission | None = None,
        delete: Permission | None = None,
        cost: int = 1,
        beside: "Route | None" = None,
    ) -> None:
        named = {"GET": get, "POST": post, "PUT": put, "DELETE": delete}
        self.template = path
        self.path = path.replace(_FREE_TEXT, "}")
        self.resource = resource
        self.cost = cost
        self._beside = beside
        self.permissions = {method: permission for method, permission in named.items() if permission is not None}
        self._check()

    @property
    def allowed_methods(self) -> list[str]:
        """Return the methods of the `Allow` header."""
        added = _ADDED_METHODS if "GET" in self.permissions else ("OPTIONS",)
        return sorted({*self.permissions, *added, *(self._beside.permissions if self._beside else ())})

    def permission(self, method: str) -> Permission:
        """Return the permission of a method; HEAD has that of GET. Raises MethodNotAllowedError."""
        if method == "OPTIONS":
            return Access.OPEN
        permission = self.permissions.get("GET" if method == "HEAD" else method)
        if permission is None:
            raise MethodNotAllowedError(self.allowed_methods)
        return permission

    def endpoint(self, method: str) -> Endpoint:
        """Return the endpoint of a method. Raises ValueError for a responder without @endpoint or docstring."""
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
                f"{self.path}: {resource} answers {sorted(answered)}, its row has permissions for"
                f" {sorted(self.permissions)}"
            )
        for method in self.permissions:
            self.endpoint(method)


class HeadOptionsRouter(CompiledRouter):
    """Adds HEAD, which is GET without the body, and OPTIONS, whose `Allow` the middleware sets.

    A template may have an ending behind `{name:path}`. A path with this ending is for its resource, unless the resource
    of the template without the ending has the method: then the ending is a part of the free text.
    """

    def __init__(self) -> None:
        super().__init__()
        self._routers_by_ending: dict[str, HeadOptionsRouter] = {}

    def map_http_methods(self, resource: object, **kwargs: Any) -> dict[str, Any]:  # noqa: ANN401 - Falcon's signature
        """Return the responders of a resource by method."""
        responders: dict[str, Any] = dict(super().map_http_methods(resource, **kwargs))
        if "GET" in responders:
            responders["HEAD"] = responders["GET"]
        responders["OPTIONS"] = _respond_without_content
        return responders

    def add_route(self, uri_template: str, resource: object, **kwargs: Any) -> None:  # noqa: ANN401 - Falcon's signature
        """Add a resource."""
        start, free_text, ending = uri_template.partition(_FREE_TEXT)
        if ending:
            router = self._routers_by_ending.setdefault(ending, HeadOptionsRouter())
            router.add_route(start + free_text, resource, **kwargs)
        else:
            super().add_route(uri_template, resource, **kwargs)

    def find(self, uri: str, req: falcon.Request | None = None) -> Any:  # noqa: ANN401 - Falcon's type is private
        """Return the resource of a path, its responders, the values of the fields, and the template."""
        plain = super().find(uri, req)
        for ending, router in self._routers_by_ending.items():
            found = router.find(uri.removesuffix(ending)) if uri.endswith(ending) else None
            if found is not None and not (plain and req and hasattr(plain[0], f"on_{req.method.lower()}")):
                return (*found[:3], found[3] + ending)
        return plain


def _respond_without_content(_request: falcon.Request, response: falcon.Response, **_params: str) -> None:
    response.status = falcon.HTTP_NO_CONTENT
