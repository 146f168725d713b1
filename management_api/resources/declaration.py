"""What a responder takes and gives, declared once: it is served by this declaration, and documented by it."""

import functools
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import falcon
import msgspec

from common.errors import ErrorCode
from management_api.resources.exchange import body_of, optional_body_of, public_body_of, query_of
from management_api.resources.raw_content import RawContent
from management_api.schemas.envelope import ResponseModel
from management_api.schemas.parsing import RequestModel

#: The `data` of an answer: one thing, a list of things, or none, which leaves a `message`.
Data = type[ResponseModel] | type[list[Any]] | RawContent | None
Responder = Callable[..., None]
#: A body of this service, or one that SDKs send as well (`common/wire/public_bodies.py`).
Body = type[RequestModel] | type[msgspec.Struct]
_ATTRIBUTE = "onboarding_declaration"


@dataclass(frozen=True, slots=True)
class Declaration:
    """One operation of the interface.

    `errors` are the codes that this operation can end in besides those that follow from who may call it and from what
    it takes (`deploy/openapi/` adds them): above all which 404 it gives, and its conflicts.
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


def answers(
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
    without a declaration stops the start (`routes/route.py`).
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

        declared = Declaration(
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


def declaration_of(resource: object, method: str) -> Declaration | None:
    """Give what a resource declares of a method, or None when it forgot to."""
    declared: Declaration | None = getattr(getattr(resource, f"on_{method.lower()}"), _ATTRIBUTE, None)
    return declared
