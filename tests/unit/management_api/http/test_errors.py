"""Errors of the framework and of the service become errors of the contract."""

import os

import falcon
import pytest

from common.errors import ErrorCode
from management_api.http.errors import from_falcon, traceback_frames


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (falcon.HTTPNotFound(), ErrorCode.NOT_FOUND),
        (falcon.HTTPRouteNotFound(), ErrorCode.NOT_FOUND),
        (falcon.HTTPMethodNotAllowed(["GET"]), ErrorCode.METHOD_NOT_ALLOWED),
        (falcon.HTTPContentTooLarge(), ErrorCode.PAYLOAD_TOO_LARGE),
        (falcon.HTTPUnsupportedMediaType(), ErrorCode.UNSUPPORTED_MEDIA_TYPE),
        (falcon.HTTPInvalidHeader("wrong", "Content-Length"), ErrorCode.INVALID_PARAMETER),
        (falcon.HTTPBadRequest(), ErrorCode.INVALID_PARAMETER),
        (falcon.HTTPUriTooLong(), ErrorCode.INVALID_PARAMETER),
        (falcon.HTTPInternalServerError(), ErrorCode.INTERNAL_ERROR),
    ],
)
def test_an_error_of_the_framework_is_said_in_the_contracts_words(error: falcon.HTTPError, code: ErrorCode) -> None:
    assert from_falcon(error).code is code


def test_allow_is_carried_over() -> None:
    assert from_falcon(falcon.HTTPMethodNotAllowed(["GET", "HEAD"])).headers == {"Allow": "GET, HEAD"}


def _fail() -> None:
    try:
        os.environ["HIDDEN_NAME"]
    except KeyError as error:
        raise ValueError("hidden text") from error


def test_logged_error_has_its_place_without_values() -> None:
    with pytest.raises(ValueError, match="hidden") as caught:
        _fail()
    described = "\n".join(traceback_frames(caught.value))
    assert "ValueError" in described
    assert "KeyError" in described
    assert "_fail" in described
    assert "hidden" not in described.lower()
