"""Components that many operations share: headers, parameters, credentials and error responses."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from common.errors import (
    STATUS_OF,
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

Json = dict[str, Any]
REF_TEMPLATE = "#/components/schemas/{model}"

SECURITY_SCHEMES: Json = {
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "A JWT of the identity provider, or a personal API key (`obk_api_...`).",
    },
    "project_id": {
        "type": "apiKey",
        "in": "header",
        "name": "X-Project-Id",
        "description": "The project's id; always together with `X-Secret-Key`.",
    },
    "secret_key": {
        "type": "apiKey",
        "in": "header",
        "name": "X-Secret-Key",
        "description": "A secret key of the project (`obk_sk_...`); always together with `X-Project-Id`.",
    },
}

_COUNT: Json = {"type": "integer", "minimum": 0}
_TAG_LIST = r'^(?:W/)?"[\x21\x23-\x7e]*"(?:[ \t]*,[ \t]*(?:W/)?"[\x21\x23-\x7e]*")*$'
_TAG: Json = {"type": "string", "pattern": '^"[^"]+"$', "examples": ['"0b6c1d2f3a4e5f60"']}

RESPONSE_HEADERS: Json = {
    "X-Request-Id": {
        "description": "The name of this request in our logs: yours, if you sent a sane one.",
        "required": True,
        "schema": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,128}$"},
    },
    "X-Content-Type-Options": {"required": True, "schema": {"const": "nosniff"}},
    "X-RateLimit-Limit": {
        "description": "How many requests an hour allows, by the UTC hour. Absent where nothing is counted.",
        "schema": {"type": "integer", "minimum": 1},
    },
    "X-RateLimit-Remaining": {
        "description": "How many of them are left.",
        "schema": _COUNT,
    },
    "X-RateLimit-Reset": {
        "description": "When the window ends, in Unix seconds.",
        "schema": _COUNT,
    },
    "X-Config-Version": {
        "description": "The revision of the project's configuration that was used; it never goes backwards.",
        "schema": _COUNT,
    },
    "ETag": {
        "description": "A strong tag of this state of the resource. Send it back as `If-Match` to change just this.",
        "required": True,
        "schema": _TAG,
    },
    "Idempotency-Replayed": {
        "description": "Present when this is the stored answer to an earlier request with the same `Idempotency-Key`.",
        "schema": {"const": "true"},
    },
    "WWW-Authenticate": {
        "description": "The scheme by which to authenticate.",
        "required": True,
        "schema": {"enum": ['Bearer realm="onboarding"', 'SecretKey realm="onboarding"']},
    },
    "Retry-After": {
        "description": "After how many seconds to try again.",
        "required": True,
        "schema": {"type": "integer", "minimum": 0},
    },
    "Cache-Control": {"required": True, "schema": {"type": "string"}},
    "Vary": {"required": True, "schema": {"type": "string"}},
}

PARAMETERS: Json = {
    "XRequestId": {
        "name": "X-Request-Id",
        "in": "header",
        "description": "A name for this request; one of other than these characters is replaced.",
        "schema": {"type": "string"},
        "example": "checkout-42",
    },
    "IfMatch": {
        "name": "If-Match",
        "in": "header",
        "description": "The `ETag` (or several, or `*`) that the resource must have; otherwise 412, nothing changed.",
        "schema": {"anyOf": [{"const": "*"}, {"type": "string", "pattern": _TAG_LIST}]},
        "example": '"0b6c1d2f3a4e5f60"',
    },
    "IdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "description": (
            "Any text of yours. For 24 hours the same key of the same user, with the same request, gives the same "
            "answer, and nothing is made twice. With another request it is a 409."
        ),
        "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": r"^[\x20-\x7e]+$"},
        "example": "3f1c9a52-order-7",
    },
    "IfNoneMatch": {
        "name": "If-None-Match",
        "in": "header",
        "description": "The `ETag` that you have; when it is still current, the answer is 304 without a body.",
        "schema": {"type": "string"},
        "example": '"0b6c1d2f3a4e5f60"',
    },
}

RATE_LIMITS = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")


def reference(kind: str, name: str) -> Json:
    """Return a reference to a component of the document."""
    return {"$ref": f"#/components/{kind}/{name}"}


def response_headers(*names: str, counted: bool = True) -> Json:
    """Return references to the headers of a response: the common ones and the named ones."""
    always = ("X-Request-Id", "X-Content-Type-Options", *(RATE_LIMITS if counted else ()))
    return {name: reference("headers", name) for name in (*always, *names)}


ERROR_SCHEMAS: Json = {
    "Error": {
        "type": "object",
        "description": "The body of every response that is not a success.",
        "properties": {
            "success": {"const": False},
            "error": {"type": "string", "description": "What went wrong, for people."},
            "code": {"enum": [code.value for code in ErrorCode], "description": "What went wrong, for programs."},
            "status": {
                "type": "integer",
                "description": "The HTTP status; absent when the project id or the secret key is wrong.",
            },
            "details": {
                "type": "array",
                "minItems": 1,
                "maxItems": 100,
                "items": reference("schemas", "ErrorDetail"),
                "description": "Every bad field, for validation errors only. `code` is that of the first.",
            },
        },
        "required": ["success", "error", "code"],
    },
    "ErrorDetail": {
        "type": "object",
        "properties": {
            "field": {"type": "string", "description": "The member, header or parameter; nested ones with dots."},
            "code": {"enum": [ErrorCode.MISSING_PARAMETER.value, ErrorCode.INVALID_PARAMETER.value]},
            "message": {"type": "string", "description": "What is wrong, to be read after the field's name."},
        },
        "required": ["field", "code", "message"],
    },
}


@dataclass(frozen=True, slots=True)
class ErrorResponse:
    """A status with its codes; the examples are the service's own errors, so they are right word for word."""

    name: str
    description: str
    codes: Sequence[ErrorCode]
    examples: Sequence[RequestError]
    headers: Sequence[str] = ()

    @property
    def status(self) -> str:
        """The status, as a key of OpenAPI's responses."""
        return str(STATUS_OF[self.codes[0]])

    def component(self, *, counted: bool) -> Json:
        """Return the response object."""
        codes = {"enum": [code.value for code in self.codes]}
        narrowed = {"properties": {"code": codes, "status": {"const": int(self.status)}}}
        return {
            "description": self.description,
            "headers": response_headers(*self.headers, counted=counted),
            "content": {
                "application/json": {
                    "schema": {"allOf": [reference("schemas", "Error"), narrowed]},
                    "examples": {_slug(error.message): {"value": error_document(error)} for error in self.examples},
                }
            },
        }


def _slug(text: str) -> str:
    return "".join(letter if letter.isalnum() and letter.isascii() else "_" for letter in text.lower()).strip("_")[:60]


_NAME = Detail.invalid("name", "must have 3 to 50 characters")

BAD_REQUEST = ErrorResponse(
    "BadRequest",
    "A member, parameter or header is missing or wrong, or the request is malformed.",
    (ErrorCode.MISSING_PARAMETER, ErrorCode.INVALID_PARAMETER),
    (
        InvalidRequestError([_NAME]),
        InvalidRequestError([Detail.missing("name")]),
        MalformedBodyError("The request body must be valid JSON"),
    ),
)
UNAUTHORIZED = ErrorResponse(
    "Unauthorized",
    "No credential, or one that is not valid.",
    (ErrorCode.UNAUTHORIZED,),
    (
        AuthenticationError.absent(),
        AuthenticationError.api_key(),
        AuthenticationError.token(),
        ProjectCredentialsError(),
    ),
    ("WWW-Authenticate",),
)
FORBIDDEN = ErrorResponse(
    "Forbidden", "A known credential that may not do this.", (ErrorCode.FORBIDDEN,), (ForbiddenError(),)
)
TOO_LARGE = ErrorResponse(
    "PayloadTooLarge",
    "The body is larger than this endpoint takes.",
    (ErrorCode.PAYLOAD_TOO_LARGE,),
    (PayloadTooLargeError(1024 * 1024),),
)
UNSUPPORTED_TYPE = ErrorResponse(
    "UnsupportedMediaType",
    "The body is not declared as `application/json`.",
    (ErrorCode.UNSUPPORTED_MEDIA_TYPE,),
    (UnsupportedMediaTypeError(),),
)
CONFLICT = ErrorResponse(
    "Conflict",
    "The state forbids it, or the `Idempotency-Key` was used for another request.",
    (ErrorCode.CONFLICT,),
    (ConflictError("A project may have at most 500 flows"),),
)


PRECONDITION_FAILED = ErrorResponse(
    "PreconditionFailed",
    "The resource has another `ETag` than `If-Match` demands; nothing was changed.",
    (ErrorCode.PRECONDITION_FAILED,),
    (PreconditionFailedError(),),
)
RATE_LIMITED = ErrorResponse(
    "RateLimited",
    "Too many requests in this hour.",
    (ErrorCode.RATE_LIMITED,),
    (RateLimitedError(1200),),
    ("Retry-After",),
)
INTERNAL = ErrorResponse("InternalError", "A defect of the service.", (ErrorCode.INTERNAL_ERROR,), (InternalError(),))
UNAVAILABLE = ErrorResponse(
    "Unavailable",
    "The service cannot do it safely now; nothing was done.",
    (ErrorCode.UNAVAILABLE,),
    (UnavailableError("The service is temporarily unavailable"),),
    ("Retry-After",),
)

_NOT_FOUND_EXAMPLES: dict[ErrorCode, RequestError] = {
    ErrorCode.INVALID_PROJECT: ProjectNotFoundError(),
    ErrorCode.INVALID_FLOW: FlowNotFoundError(),
    ErrorCode.NOT_FOUND: NotFoundError("Screen not found"),
}


def not_found(codes: Iterable[ErrorCode]) -> Sequence[ErrorResponse]:
    """Return the 404 of an operation with exactly its codes, or nothing when it has none."""
    known = tuple(code for code in _NOT_FOUND_EXAMPLES if code in codes)
    name = "".join(code.value.title().replace("_", "") for code in known).replace("NotFound", "Thing")
    description = "It does not exist, or is not visible to this caller: the two look the same."
    examples = [_NOT_FOUND_EXAMPLES[code] for code in known]
    return [ErrorResponse(f"{name}NotFound", description, known, examples)] if known else []
