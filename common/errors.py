"""The hierarchy of errors, and the error body of both services (contract, section 1, Errors)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import orjson


class ErrorCode(StrEnum):
    """The `code` member of an error body."""

    MISSING_PARAMETER = "MISSING_PARAMETER"
    INVALID_PARAMETER = "INVALID_PARAMETER"
    UNAUTHORIZED = "UNAUTHORIZED"
    FORBIDDEN = "FORBIDDEN"
    INVALID_PROJECT = "INVALID_PROJECT"
    INVALID_FLOW = "INVALID_FLOW"
    NOT_FOUND = "NOT_FOUND"
    METHOD_NOT_ALLOWED = "METHOD_NOT_ALLOWED"
    CONFLICT = "CONFLICT"
    PRECONDITION_FAILED = "PRECONDITION_FAILED"
    PAYLOAD_TOO_LARGE = "PAYLOAD_TOO_LARGE"
    UNSUPPORTED_MEDIA_TYPE = "UNSUPPORTED_MEDIA_TYPE"
    RATE_LIMITED = "RATE_LIMITED"
    INTERNAL_ERROR = "INTERNAL_ERROR"
    UNAVAILABLE = "UNAVAILABLE"


STATUS_OF: dict[ErrorCode, int] = {
    ErrorCode.MISSING_PARAMETER: 400,
    ErrorCode.INVALID_PARAMETER: 400,
    ErrorCode.UNAUTHORIZED: 401,
    ErrorCode.FORBIDDEN: 403,
    ErrorCode.INVALID_PROJECT: 404,
    ErrorCode.INVALID_FLOW: 404,
    ErrorCode.NOT_FOUND: 404,
    ErrorCode.METHOD_NOT_ALLOWED: 405,
    ErrorCode.CONFLICT: 409,
    ErrorCode.PRECONDITION_FAILED: 412,
    ErrorCode.PAYLOAD_TOO_LARGE: 413,
    ErrorCode.UNSUPPORTED_MEDIA_TYPE: 415,
    ErrorCode.RATE_LIMITED: 429,
    ErrorCode.INTERNAL_ERROR: 500,
    ErrorCode.UNAVAILABLE: 503,
}


class OnboardingError(Exception):
    """Root of the errors that this product raises."""


class SettingsError(OnboardingError):
    """The settings do not allow a start. Each message is one line for the operator and names a setting."""

    def __init__(self, *messages: str) -> None:
        super().__init__("; ".join(messages))
        self.messages = messages


#: A request gets at most so many details, so that clients cannot inflate the response.
MAX_DETAILS = 100


@dataclass(frozen=True, slots=True)
class Detail:
    """One bad field: `message` reads on after the field's name ("must have 3 to 50 characters")."""

    field: str
    #: An ErrorCode, or the code of a problem of a flow's document.
    code: StrEnum
    message: str

    @classmethod
    def missing(cls, field: str) -> "Detail":
        """Return the detail of a required member, header or query parameter that is absent or null."""
        return cls(field, ErrorCode.MISSING_PARAMETER, "is required")

    @classmethod
    def invalid(cls, field: str, message: str) -> "Detail":
        """Return the detail of a value that is present and wrong."""
        return cls(field, ErrorCode.INVALID_PARAMETER, message)


class RequestError(OnboardingError):
    """An error with a response: code, status, text, headers."""

    code: ErrorCode = ErrorCode.INTERNAL_ERROR
    #: The authentication body of the SDK credentials has no `status` member (contract, section 1).
    shows_status: bool = True

    def __init__(self, message: str, *, headers: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.headers = headers or {}
        self.details: tuple[Detail, ...] = ()

    @property
    def status(self) -> int:
        """The HTTP status, which follows from the code."""
        return STATUS_OF[self.code]


class InvalidRequestError(RequestError):
    """400: one or more fields are missing or wrong."""

    def __init__(self, details: Sequence[Detail]) -> None:
        first = details[0]
        super().__init__(f"{first.field} {first.message}")
        self.code = first.code if isinstance(first.code, ErrorCode) else ErrorCode.INVALID_PARAMETER
        self.details = tuple(details)


class MalformedBodyError(RequestError):
    """400: the body as a whole cannot be read; there is no field to name."""

    code = ErrorCode.INVALID_PARAMETER


class AuthenticationError(RequestError):
    """401: no credential, or one that is not valid."""

    code = ErrorCode.UNAUTHORIZED

    def __init__(self, message: str, *, scheme: str = "Bearer") -> None:
        super().__init__(message, headers={"WWW-Authenticate": f'{scheme} realm="onboarding"'})

    @classmethod
    def absent(cls, *, scheme: str = "Bearer") -> "AuthenticationError":
        """Return the error of a request without credentials."""
        return cls("Authentication required", scheme=scheme)

    @classmethod
    def api_key(cls) -> "AuthenticationError":
        """Return the error of a personal API key that is wrong or revoked."""
        return cls("Invalid API key")

    @classmethod
    def token(cls) -> "AuthenticationError":
        """Return the error of a JWT that is not accepted."""
        return cls("Invalid token")


class ProjectCredentialsError(AuthenticationError):
    """401: the project id or the secret key is wrong. The response does not name which."""

    shows_status = False

    def __init__(self) -> None:
        super().__init__("Invalid project credentials", scheme="SecretKey")


class ForbiddenError(RequestError):
    """403: a known credential that may not do this."""

    code = ErrorCode.FORBIDDEN

    def __init__(self, message: str = "Insufficient permissions for this operation") -> None:
        super().__init__(message)

    @classmethod
    def deactivated(cls) -> "ForbiddenError":
        """Return the error of a valid credential whose user is deactivated."""
        return cls("This user is deactivated; ask an operator of the installation for access")


class ProjectNotFoundError(RequestError):
    """404: no such project, or not visible to this caller."""

    code = ErrorCode.INVALID_PROJECT

    def __init__(self) -> None:
        super().__init__("Project not found")


class FlowNotFoundError(RequestError):
    """404: no such flow, or not visible to this caller."""

    code = ErrorCode.INVALID_FLOW

    def __init__(self, message: str = "Flow not found") -> None:
        super().__init__(message)

    @classmethod
    def nothing_to_resolve(cls) -> "FlowNotFoundError":
        """Return the error of a device that no rule of the project has a flow for (contract, section 4)."""
        return cls("No onboarding flow is configured for this device")


class NotFoundError(RequestError):
    """404: unknown path, or no such screen, theme, experiment, member, event."""

    code = ErrorCode.NOT_FOUND


class MethodNotAllowedError(RequestError):
    """405: the path exists, the method does not."""

    code = ErrorCode.METHOD_NOT_ALLOWED

    def __init__(self, allowed: Sequence[str]) -> None:
        super().__init__("Method not allowed", headers={"Allow": ", ".join(allowed)})


class ConflictError(RequestError):
    """409: the state forbids it. A publication and a missing review have details: the problems that forbid it."""

    code = ErrorCode.CONFLICT

    def __init__(self, message: str, details: Sequence[Detail] = ()) -> None:
        super().__init__(message)
        self.details = tuple(details)


class PreconditionFailedError(RequestError):
    """412: `If-Match` does not name the present state; nothing was changed."""

    code = ErrorCode.PRECONDITION_FAILED

    def __init__(self) -> None:
        super().__init__("If-Match does not match: the resource has changed since it was read")


class PayloadTooLargeError(RequestError):
    """413: the body is larger than this endpoint takes."""

    code = ErrorCode.PAYLOAD_TOO_LARGE

    def __init__(self, limit: int, unit: str = "bytes") -> None:
        super().__init__(f"The request body may have at most {limit} {unit}")


class UnsupportedMediaTypeError(RequestError):
    """415: the body is declared as something that the endpoint does not accept."""

    code = ErrorCode.UNSUPPORTED_MEDIA_TYPE

    def __init__(self, message: str = "Content-Type must be application/json") -> None:
        super().__init__(message)


class RateLimitedError(RequestError):
    """429: the client has used its requests of this hour."""

    code = ErrorCode.RATE_LIMITED

    def __init__(self, retry_after_seconds: int, message: str = "Rate limit exceeded") -> None:
        super().__init__(message, headers={"Retry-After": str(retry_after_seconds)})


class QuotaUsedUpError(RateLimitedError):
    """429: the project has used up a quota of this day (contract, Quotas of a project)."""

    def __init__(self, retry_after_seconds: int) -> None:
        super().__init__(retry_after_seconds, "The project has used up its quota of this day")


class UnavailableError(RequestError):
    """503: the service cannot do it safely now; the client should try again."""

    code = ErrorCode.UNAVAILABLE

    def __init__(self, message: str, *, retry_after_seconds: int = 1) -> None:
        super().__init__(message, headers={"Retry-After": str(retry_after_seconds)})


class InternalError(RequestError):
    """500: a defect of the service, without details in the body."""

    code = ErrorCode.INTERNAL_ERROR

    def __init__(self) -> None:
        super().__init__("Internal server error")


def error_document(error: RequestError) -> dict[str, Any]:
    """Return the members of the error body; only validation errors have `details`."""
    document: dict[str, Any] = {"success": False, "error": error.message, "code": error.code.value}
    if error.shows_status:
        document["status"] = error.status
    if error.details:
        document["details"] = [
            {"field": detail.field, "code": detail.code.value, "message": detail.message} for detail in error.details
        ]
    return document


def error_body(error: RequestError) -> bytes:
    """Return the error body as JSON."""
    return orjson.dumps(error_document(error))


def first_line(error: BaseException) -> str:
    """Return the first line of an error's message, for a log line or a terminal; its class where it has none."""
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return text.strip().splitlines()[0] if text.strip() else type(error).__name__
