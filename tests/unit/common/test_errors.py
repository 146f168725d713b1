"""The error body of both services, word for word (contract, section 1)."""

import orjson
import pytest

from common.errors import (
    STATUS_OF,
    AuthenticationError,
    Detail,
    ErrorCode,
    FlowNotFoundError,
    ForbiddenError,
    InternalError,
    InvalidRequestError,
    MethodNotAllowedError,
    ProjectCredentialsError,
    RequestError,
    UnavailableError,
    error_body,
    first_line,
)


def test_every_code_has_a_status() -> None:
    assert set(STATUS_OF) == set(ErrorCode)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (ProjectCredentialsError(), {"error": "Invalid project credentials", "code": "UNAUTHORIZED"}),
        (AuthenticationError.api_key(), {"error": "Invalid API key", "code": "UNAUTHORIZED", "status": 401}),
        (AuthenticationError.token(), {"error": "Invalid token", "code": "UNAUTHORIZED", "status": 401}),
        (AuthenticationError.absent(), {"error": "Authentication required", "code": "UNAUTHORIZED", "status": 401}),
        (
            ForbiddenError(),
            {"error": "Insufficient permissions for this operation", "code": "FORBIDDEN", "status": 403},
        ),
        (
            FlowNotFoundError.nothing_to_resolve(),
            {"error": "No onboarding flow is configured for this device", "code": "INVALID_FLOW", "status": 404},
        ),
        (InternalError(), {"error": "Internal server error", "code": "INTERNAL_ERROR", "status": 500}),
    ],
)
def test_error_body_is_that_of_the_contract(error: RequestError, expected: dict[str, object]) -> None:
    assert orjson.loads(error_body(error)) == {"success": False, **expected}


def test_validation_error_lists_every_field_and_has_first_code() -> None:
    error = InvalidRequestError([Detail.missing("name"), Detail.invalid("settings", "must be an object")])
    assert orjson.loads(error_body(error)) == {
        "success": False,
        "error": "name is required",
        "code": "MISSING_PARAMETER",
        "status": 400,
        "details": [
            {"field": "name", "code": "MISSING_PARAMETER", "message": "is required"},
            {"field": "settings", "code": "INVALID_PARAMETER", "message": "must be an object"},
        ],
    }


def test_error_has_the_headers_of_its_status() -> None:
    assert UnavailableError("later", retry_after_seconds=7).headers == {"Retry-After": "7"}
    assert MethodNotAllowedError(["GET", "HEAD"]).headers == {"Allow": "GET, HEAD"}
    assert "WWW-Authenticate" in ProjectCredentialsError().headers


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (ValueError("this\nand that"), "this"),
        (TimeoutError(), "TimeoutError"),
        (ConnectionRefusedError(111, "Connection refused"), "Connection refused"),
    ],
)
def test_first_line_of_an_error_else_its_class(error: Exception, line: str) -> None:
    assert first_line(error) == line
