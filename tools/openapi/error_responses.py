"""The error responses of both services, as components: one body, and each status with its codes and examples."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

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
from tools.openapi.common_headers import response_headers
from tools.openapi.json_types import Json, reference

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
        """The status, as OpenAPI wants it."""
        return str(STATUS_OF[self.codes[0]])

    def component(self, *, counted: bool) -> Json:
        """Give the response object."""
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


def not_found(codes: Iterable[ErrorCode]) -> ErrorResponse | None:
    """Give the 404 of an operation with just the codes that it can end in, or None when there are none."""
    known = tuple(code for code in _NOT_FOUND_EXAMPLES if code in codes)
    if not known:
        return None
    name = "".join(code.value.title().replace("_", "") for code in known).replace("NotFound", "Thing")
    return ErrorResponse(
        f"{name}NotFound",
        "It does not exist, or is not visible to this caller: the two look the same.",
        known,
        [_NOT_FOUND_EXAMPLES[code] for code in known],
    )
