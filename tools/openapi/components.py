"""Components that many operations share: credentials, headers, parameters and error responses."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from common.errors import (
    AuthenticationError,
    ConflictError,
    Detail,
    ErrorCode,
    FlowNotFoundError,
    ForbiddenError,
    InternalError,
    InvalidRequestError,
    MalformedBodyError,
    NotFoundError,
    PayloadTooLargeError,
    PreconditionFailedError,
    ProjectCredentialsError,
    ProjectNotFoundError,
    RateLimitedError,
    RequestError,
    UnavailableError,
    UnsupportedMediaTypeError,
    error_document,
)
from management_api.flows.lifecycle.contrast import ThemeProblem
from management_api.flows.lifecycle.logic_problems import LogicProblem
from management_api.flows.lifecycle.validation import ProblemCode
from management_api.history.drafts import DraftProblem
from management_api.media.operations import MediaProblem
from management_api.projects.review import ReviewCode

Json = dict[str, Any]
REF_TEMPLATE = "#/components/schemas/{model}"


def _api_key(name: str, description: str) -> Json:
    return {"type": "apiKey", "in": "header", "name": name, "description": description}


SECURITY_SCHEMES: Json = {
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "A JWT of the identity provider, or a personal API key (`obk_api_...`).",
    },
    "project_id": _api_key("X-Project-Id", "The project's id; always together with `X-Secret-Key`."),
    "secret_key": _api_key(
        "X-Secret-Key", "A secret key of the project (`obk_sk_...`); always together with `X-Project-Id`."
    ),
}


def reference(kind: str, name: str) -> Json:
    """Return a reference to a component of the document."""
    return {"$ref": f"#/components/{kind}/{name}"}


def _header(schema: Json, description: str = "", *, required: bool = False) -> Json:
    header: Json = {"description": description} if description else {}
    return header | ({"required": True} if required else {}) | {"schema": schema}


def _parameter(name: str, schema: Json, example: str, description: str) -> Json:
    return {"name": name, "in": "header", "description": description, "schema": schema, "example": example}


_COUNT: Json = {"type": "integer", "minimum": 0}
_TEXT: Json = {"type": "string"}
_TAG: Json = {"type": "string", "pattern": '^"[^"]+"$', "examples": ['"0b6c1d2f3a4e5f60"']}
_TAG_LIST = r'^(?:W/)?"[\x21\x23-\x7e]*"(?:[ \t]*,[ \t]*(?:W/)?"[\x21\x23-\x7e]*")*$'

RESPONSE_HEADERS: Json = {
    "X-Request-Id": _header(
        {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,128}$"},
        "The id of this request in the logs of the service: yours, if you sent a valid one.",
        required=True,
    ),
    "X-Content-Type-Options": _header({"const": "nosniff"}, required=True),
    "X-RateLimit-Limit": _header(
        {"type": "integer", "minimum": 1}, "Requests allowed an hour, by the UTC hour. Absent where nothing is counted."
    ),
    "X-RateLimit-Remaining": _header(_COUNT, "Requests left in this hour."),
    "X-RateLimit-Reset": _header(_COUNT, "The end of the hour, in Unix seconds."),
    "X-Config-Version": _header(
        _COUNT, "The revision of the project's configuration that was used; it never goes backwards."
    ),
    "ETag": _header(
        _TAG,
        "A strong tag of this state of the resource. Send it back as `If-Match` to change only this state.",
        required=True,
    ),
    "Idempotency-Replayed": _header(
        {"const": "true"}, "Present on the stored response to an earlier request with the same `Idempotency-Key`."
    ),
    "WWW-Authenticate": _header(
        {"enum": ['Bearer realm="onboarding"', 'SecretKey realm="onboarding"']},
        "The scheme of the missing or invalid credential.",
        required=True,
    ),
    "Retry-After": _header(_COUNT, "Seconds to wait before the next attempt.", required=True),
    "Cache-Control": _header(_TEXT, required=True),
    "Vary": _header(_TEXT, "The request headers on which the response depends.", required=True),
    "Content-Security-Policy": _header(_TEXT, "Scripts and styles of the edge alone.", required=True),
    "Referrer-Policy": _header({"const": "no-referrer"}, "The address holds a credential.", required=True),
    "Accept-Ranges": _header({"const": "bytes"}, required=True),
    "Content-Range": _header({"type": "string", "pattern": "^bytes (?:[0-9]+-[0-9]+|[*])/[0-9]+$"}, required=True),
    "Cross-Origin-Resource-Policy": _header({"const": "cross-origin"}, required=True),
    "Content-Disposition": _header(_TEXT, "The name of the file, if the response is CSV."),
}
RATE_LIMITS = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")

PARAMETERS: Json = {
    "XRequestId": _parameter(
        "X-Request-Id",
        _TEXT,
        "checkout-42",
        "An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.",
    ),
    "IfMatch": _parameter(
        "If-Match",
        {"anyOf": [{"const": "*"}, {"type": "string", "pattern": _TAG_LIST}]},
        '"0b6c1d2f3a4e5f60"',
        "The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.",
    ),
    "IfNew": _parameter(
        "If-None-Match",
        {"const": "*"},
        "*",
        "Creates only: where the resource exists, the response is 412, and nothing is changed.",
    ),
    "IdempotencyKey": _parameter(
        "Idempotency-Key",
        {"type": "string", "minLength": 1, "maxLength": 255, "pattern": r"^[\x20-\x7e]+$"},
        "3f1c9a52-order-7",
        "Any text of yours. For 24 hours the same request of the same user with the same key has the same response, "
        "and is executed once. Another request with the key is a 409.",
    ),
    "IfNoneMatch": _parameter(
        "If-None-Match",
        _TEXT,
        '"0b6c1d2f3a4e5f60"',
        "The `ETag` that you have; while it is current, the response is 304 without a body.",
    ),
}


def response_headers(*names: str, counted: bool = True) -> Json:
    """Return references to the headers of a response: the common ones and the named ones."""
    always = ("X-Request-Id", "X-Content-Type-Options", *(RATE_LIMITS if counted else ()))
    return {name: reference("headers", name) for name in (*always, *names)}


def response(description: str, schemas: Mapping[str, Json], *headers: str, counted: bool = True) -> Json:
    """Return a response with the schema of each media type, the common headers and the named ones.

    Without media types it has no body.
    """
    content = {media_type: {"schema": schema} for media_type, schema in schemas.items()}
    return {
        "description": description,
        "headers": response_headers(*headers, counted=counted),
        **({"content": content} if content else {}),
    }


ERROR_SCHEMAS: Json = {
    "Error": {
        "type": "object",
        "description": "The body of every response that is not a success.",
        "properties": {
            "success": {"const": False},
            "error": {"type": "string", "description": "The error in words, for people."},
            "code": {"enum": [code.value for code in ErrorCode], "description": "The error, for programs."},
            "status": {
                "type": "integer",
                "description": "The HTTP status; absent when the project id or the secret key is wrong.",
            },
            "details": {
                "type": "array",
                "minItems": 1,
                "maxItems": 100,
                "items": reference("schemas", "ErrorDetail"),
                "description": "Every bad field of a validation error, or the problems that forbid a publication.",
            },
            "errorCode": {"type": "string", "description": "Of the endpoints of OFREP: the error by that protocol."},
            "errorDetails": {"type": "string", "description": "Of the endpoints of OFREP: the error in words."},
            "key": {"type": "string", "description": "Of the endpoints of OFREP: the requested flag."},
        },
        "required": ["success", "error", "code"],
    },
    "ErrorDetail": {
        "type": "object",
        "properties": {
            "field": {"type": "string", "description": "The member, header or parameter; nested ones with dots."},
            "code": {
                "enum": [
                    ErrorCode.MISSING_PARAMETER.value,
                    ErrorCode.INVALID_PARAMETER.value,
                    *(
                        code.value
                        for code in (
                            *ProblemCode,
                            *ThemeProblem,
                            *DraftProblem,
                            *LogicProblem,
                            *ReviewCode,
                            *MediaProblem,
                        )
                    ),
                ]
            },
            "message": {"type": "string", "description": "The rule that is broken, to be read after the field's name."},
        },
        "required": ["field", "code", "message"],
    },
}


@dataclass(frozen=True, slots=True)
class ErrorResponse:
    """A status and its codes, both those of the examples, which are the service's own errors."""

    name: str
    description: str
    examples: Sequence[RequestError]
    headers: Sequence[str] = ()

    @property
    def status(self) -> str:
        """The status, as a key of OpenAPI's responses."""
        return str(self.examples[0].status)

    def component(self, *, counted: bool, headers: Sequence[str] = ()) -> Json:
        """Return the response object, with further headers."""
        documents = [error_document(error) for error in self.examples]
        codes = list(dict.fromkeys(document["code"] for document in documents))
        narrowed: Json = {"properties": {"code": {"enum": codes}, "status": {"const": int(self.status)}}}
        if all("status" in document for document in documents):
            narrowed["required"] = ["status"]
        return {
            "description": self.description,
            "headers": response_headers(*self.headers, *headers, counted=counted),
            "content": {
                "application/json": {
                    "schema": {"allOf": [reference("schemas", "Error"), narrowed]},
                    "examples": {_slug(document["error"]): {"value": document} for document in documents},
                }
            },
        }


def _slug(text: str) -> str:
    return "".join(letter if letter.isalnum() and letter.isascii() else "_" for letter in text.lower()).strip("_")[:60]


BAD_REQUEST = ErrorResponse(
    "BadRequest",
    "A member, parameter or header is missing or wrong, or the request is malformed.",
    [
        InvalidRequestError([Detail.missing("name")]),
        InvalidRequestError([Detail.invalid("name", "must have 3 to 50 characters")]),
        MalformedBodyError("The request body must be valid JSON"),
    ],
)
UNAUTHORIZED = ErrorResponse(
    "Unauthorized",
    "No credential, or one that is not valid.",
    [
        AuthenticationError.absent(),
        AuthenticationError.api_key(),
        AuthenticationError.token(),
        ProjectCredentialsError(),
    ],
    ["WWW-Authenticate"],
)
FORBIDDEN = ErrorResponse("Forbidden", "A known credential that may not do this.", [ForbiddenError()])
PRECONDITION_FAILED = ErrorResponse(
    "PreconditionFailed",
    "The resource has another `ETag` than `If-Match` demands; nothing was changed.",
    [PreconditionFailedError()],
)
TOO_LARGE = ErrorResponse(
    "PayloadTooLarge", "The body is larger than this endpoint accepts.", [PayloadTooLargeError(1024 * 1024)]
)
UNSUPPORTED_TYPE = ErrorResponse(
    "UnsupportedMediaType", "The body is not declared as `application/json`.", [UnsupportedMediaTypeError()]
)
CONFLICT = ErrorResponse(
    "Conflict",
    "The state forbids it, or the `Idempotency-Key` was used for another request.",
    [ConflictError("A project may have at most 500 flows")],
)
RATE_LIMITED = ErrorResponse(
    "RateLimited", "Too many requests in this hour.", [RateLimitedError(1200)], ["Retry-After"]
)
INTERNAL = ErrorResponse("InternalError", "A defect of the service.", [InternalError()])
UNAVAILABLE = ErrorResponse(
    "Unavailable",
    "The service cannot do it safely now; nothing was done.",
    [UnavailableError("The service is temporarily unavailable")],
    ["Retry-After"],
)
_NOT_FOUND = (ProjectNotFoundError(), FlowNotFoundError(), NotFoundError("Screen not found"))


def not_found(codes: Iterable[ErrorCode]) -> Iterator[ErrorResponse]:
    """Yield the 404 of an operation with exactly its codes, if it has any."""
    examples = [error for error in _NOT_FOUND if error.code in codes]
    if examples:
        name = "".join(error.code.title().replace("_", "") for error in examples).replace("NotFound", "Thing")
        description = "It does not exist, or is not visible to this caller: both have the same response."
        yield ErrorResponse(f"{name}NotFound", description, examples)
