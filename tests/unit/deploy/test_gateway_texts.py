"""The errors of the gateway have the form and the texts of the services, because clients read both alike."""

import json
import re

import pytest

from common.errors import STATUS_OF, ErrorCode, MethodNotAllowedError, NotFoundError, RequestError, error_document
from common.wire.page_shell import ERROR_SCRIPT, content_security_policy
from edge_api.http.error_pages import error_html
from edge_api.http.responses import MalformedRequestError
from tests.support.servers.gateway import TEMPLATE

_CONFIGURATION = TEMPLATE.read_text()
#: The name of a location, the status and the body of its response.
_RESPONSE = re.compile(r"location = /([\w./-]+) \{[^}]*?return (\d+) '([^']+)';", re.DOTALL)
_RESPONSES = {name: (int(status), body) for name, status, body in _RESPONSE.findall(_CONFIGURATION)}
_ERRORS = {name: response for name, response in _RESPONSES.items() if response[1].startswith('{"success"')}
_SCRIPT = "gateway-error.js"


@pytest.mark.parametrize("name", _ERRORS)
def test_error_of_the_gateway_has_the_form_of_the_contract(name: str) -> None:
    status, text = _ERRORS[name]
    body = json.loads(text)
    error = RequestError(body["error"])
    error.code = ErrorCode(body["code"])
    assert body == error_document(error)
    assert status == STATUS_OF[error.code]


@pytest.mark.parametrize(
    ("name", "error"),
    [
        (".gateway/bad-request", MalformedRequestError()),
        (".gateway/not-found", NotFoundError("Not found")),
        (".gateway/not-allowed", MethodNotAllowedError(["GET"])),
    ],
)
def test_error_of_the_gateway_has_the_text_of_the_services(name: str, error: RequestError) -> None:
    assert json.loads(_ERRORS[name][1]) == error_document(error)


@pytest.mark.parametrize(
    ("name", "status", "shown"), [(".gateway/page-failed", 400, "$status"), (".gateway/page-unavailable", 503, "503")]
)
def test_error_page_of_the_gateway_is_that_of_the_edge(name: str, status: int, shown: str) -> None:
    page = error_html(status, "/", None, [_SCRIPT]).replace(f'data-error="{status}"', f'data-error="{shown}"')
    assert _RESPONSES[name] == (status, page)


def test_script_and_policy_of_error_pages_are_those_of_the_edge() -> None:
    assert _RESPONSES[f"onboarding/assets/{_SCRIPT}"] == (200, ERROR_SCRIPT)
    assert content_security_policy("'none'") in _CONFIGURATION
