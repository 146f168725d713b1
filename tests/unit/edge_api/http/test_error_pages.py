"""Errors as HTML: a text, a way out, the headers of the error, and nothing of the request."""

import pytest

from common.errors import (
    MethodNotAllowedError,
    ProjectCredentialsError,
    RateLimitedError,
    RequestError,
    UnavailableError,
)
from edge_api.api.request import ACCEPT_LANGUAGE, RequestContext
from edge_api.api.response import error_response
from edge_api.api.routes import route_of
from edge_api.http.error_pages import error_html, error_page, error_words
from edge_api.page_assets import ERROR_SCRIPT_NAME
from tests.support.data.pages import MANIFEST

ERRORS = [ProjectCredentialsError(), MethodNotAllowedError(["GET"]), RateLimitedError(7), UnavailableError("Secret")]


@pytest.mark.parametrize("error", ERRORS)
def test_error_page_has_a_way_out_and_keeps_the_headers(error: RequestError) -> None:
    page = error_page(error_response(error), b"/s/x/onboarding/f/1", MANIFEST)
    html, headers = page.body.decode(), dict(page.headers)
    assert page.status == error.status
    assert f'data-error="{error.status}"' in html
    assert '<button type="button" data-action="close">Close</button>' in html
    assert headers[b"content-type"] == b"text/html; charset=utf-8"
    assert headers[b"cache-control"] == b"no-store"
    assert int(headers[b"content-length"]) == len(page.body)
    for name, value in error.headers.items():
        assert headers[name.lower().encode()] == value.encode()
    assert "Secret" not in html


@pytest.mark.parametrize(
    ("query", "accepted", "language"),
    [
        ({"locale": "de-AT"}, b"fr", "de"),
        ({}, b"sr, fr;q=0.5, pl;q=0.9", "pl"),
        ({"locale": "fa"}, b"de", "en"),
        ({"locale": "!"}, None, "en"),
    ],
)
def test_error_is_in_the_language_of_the_address_else_of_the_browser(
    query: dict[str, str], accepted: bytes | None, language: str
) -> None:
    headers = {} if accepted is None else {ACCEPT_LANGUAGE: accepted}
    context = RequestContext(route_of("/onboarding/x"), headers, "", b"", query=query)
    page = error_page(error_response(ProjectCredentialsError()), b"/onboarding/x", MANIFEST, context)
    assert f'<html lang="{language}" dir="ltr">' in page.body.decode()
    assert error_words()[language]["expired"] in page.body.decode()
    assert (b"content-language", language.encode()) in page.headers
    assert (b"vary", b"Accept-Language") in page.headers


def test_error_in_arabic_is_written_from_right_to_left() -> None:
    assert '<html lang="ar" dir="rtl">' in error_html(404, "", MANIFEST, [], "ar")


@pytest.mark.parametrize("status", [418, 500])
def test_every_status_has_a_page(status: int) -> None:
    response = error_response(UnavailableError("")).__class__(status, (), b"", b"")
    assert f'data-error="{status}"'.encode() in error_page(response, b"/onboarding/", None).body


@pytest.mark.parametrize(
    ("path", "root"), [(b"/onboarding", ""), (b"/onboarding/", "../"), (b"/s/x/onboarding/f/1", "../../../../")]
)
def test_assets_are_relative_to_the_depth_of_the_path(path: bytes, root: str) -> None:
    page = error_page(error_response(UnavailableError("")), path, MANIFEST)
    assert f'src="{root}onboarding/assets/{MANIFEST.js}"'.encode() in page.body


def test_page_of_a_deep_path_is_bounded() -> None:
    assert len(error_page(error_response(UnavailableError("")), b"/" * 16_000, MANIFEST).body) < 2_000


def test_page_without_assets_has_the_small_script() -> None:
    page = error_page(error_response(UnavailableError("")), b"/onboarding/", None)
    assert f'src="../onboarding/assets/{ERROR_SCRIPT_NAME}"'.encode() in page.body
    assert b"<link" not in page.body
